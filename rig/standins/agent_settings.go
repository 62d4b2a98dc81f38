package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// What the ConfigMap cilium-config says, as far as the stand-in heeds it.
type agentSettings struct {
	// Packets of pods to these addresses keep their source.
	nativeRange netip.Prefix
	// Of the pods' interfaces; 0 leaves it to the kernel.
	mtu int
	// Whether Services are the agent's business.
	replacesKubeProxy bool
	// Where kube-proxy's health is served, host and port.
	proxyHealthAddress string
}

// parseAgentSettings reads the folder in which the ConfigMap is mounted: one file a key.
func parseAgentSettings(args []string) (agentSettings, error) {
	flags := flag.NewFlagSet("cilium-agent", flag.ContinueOnError)
	folder := flags.String("config-dir", "", "folder of the mounted ConfigMap")
	if err := flags.Parse(args); err != nil {
		return agentSettings{}, err
	}
	return readAgentSettings(os.DirFS(*folder))
}

func readAgentSettings(folder fs.FS) (agentSettings, error) {
	var settings agentSettings
	text := func(key string) string {
		content, err := fs.ReadFile(folder, filepath.ToSlash(key))
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(content))
	}
	if mode := text("routing-mode"); mode != "native" {
		return settings, fmt.Errorf("routing-mode %q is not played, only native is", mode)
	}
	if mode := text("ipam"); mode != "kubernetes" {
		return settings, fmt.Errorf("ipam %q is not played, only kubernetes is", mode)
	}
	native, err := netip.ParsePrefix(text("ipv4-native-routing-cidr"))
	if err != nil {
		return settings, fmt.Errorf("ipv4-native-routing-cidr: %w", err)
	}
	settings.nativeRange = native
	if mtu := text("mtu"); mtu != "" {
		if settings.mtu, err = strconv.Atoi(mtu); err != nil {
			return settings, errors.New("mtu is not a number: " + mtu)
		}
	}
	settings.replacesKubeProxy = text("kube-proxy-replacement") == "true"
	settings.proxyHealthAddress = text("kube-proxy-replacement-healthz-bind-address")
	return settings, nil
}
