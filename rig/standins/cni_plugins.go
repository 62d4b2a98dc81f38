package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// Where the image keeps the plugins, and where the chart mounts the host's folder for them.
const (
	ownPlugins  = "/opt/cni-plugins"
	hostPlugins = "/host/opt/cni/bin"
)

// installPluginsOnce stands for the init container that brings the plugins to the host.
func installPluginsOnce(context.Context, []string) error {
	return installPlugins(ownPlugins, hostPlugins)
}

// installPlugins copies what the host does not have yet. What is there stays: it may be running.
func installPlugins(from, to string) error {
	plugins, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("read the image's CNI plugins: %w", err)
	}
	for _, plugin := range plugins {
		target := filepath.Join(to, plugin.Name())
		if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, plugin.Name()))
		if err != nil {
			return err
		}
		if err := replaceFile(target, content, 0o755); err != nil {
			return fmt.Errorf("install the CNI plugin %s: %w", plugin.Name(), err)
		}
		slog.Info("installed", "plugin", plugin.Name())
	}
	return nil
}
