// What one minor release of Kubernetes takes from its user: each component's flags, the feature gates
// and the admission plugins, read from its sources.
//
//	kubernetes-versions MINOR MODULE=FOLDER...
//
// Or the flags of a release of etcd, from its:
//
//	kubernetes-versions etcd MODULE=FOLDER...
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Settings is what is printed.
type Settings struct {
	// Names of flags, without hyphens, by component.
	Flags map[string][]string `json:"flags"`
	// By name: "" for one that can be set either way, else the only value that it takes.
	Gates map[string]string `json:"gates"`
	// Names of the API server's admission plugins.
	AdmissionPlugins []string `json:"admissionPlugins"`
	// Fields of the kubelet's configuration by their paths, with the type of each.
	KubeletConfig map[string]string `json:"kubeletConfig"`
}

func main() {
	folders := map[string]string{}
	for _, argument := range os.Args[2:] {
		module, folder, _ := strings.Cut(argument, "=")
		folders[module] = folder
	}
	sources := newSources(folders)
	if os.Args[1] == "etcd" {
		write(etcdFlagsOf(sources))
		return
	}
	minor, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(err)
	}
	settings := Settings{Flags: map[string][]string{}, Gates: gatesOf(sources, minor), AdmissionPlugins: admissionPluginsOf(sources), KubeletConfig: kubeletConfigOf(sources)}
	for component, entries := range entryPoints {
		settings.Flags[component] = flagsOf(sources, entries)
	}
	write(settings)
}

func write(value any) {
	if err := json.NewEncoder(os.Stdout).Encode(value); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
