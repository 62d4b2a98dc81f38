package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
)

const conflistName = "05-cilium.conflist"

// conflist is the configuration by which the container runtime gives pods their network: a pair of
// interfaces and a host route for each pod, as Cilium's veth mode has it. There is no bridge, so that
// answers of a Service's pods pass the translation even between neighbours, whatever br_netfilter does.
// Leases lie on a memory file system: after a power cut nobody gives back those of the pods that died.
func conflist(podRange netip.Prefix, mtu int) ([]byte, error) {
	pair := map[string]any{
		"type":   "ptp",
		"ipMasq": false,
		"ipam": map[string]any{
			"type":    "host-local",
			"dataDir": "/run/cni/networks",
			"ranges":  [][]map[string]string{{{"subnet": podRange.String()}}},
			"routes":  []map[string]string{{"dst": "0.0.0.0/0"}},
		},
	}
	if mtu > 0 {
		pair["mtu"] = mtu
	}
	text, err := json.MarshalIndent(map[string]any{
		"cniVersion": "1.0.0",
		"name":       "cilium",
		"plugins":    []any{pair},
	}, "", "  ")
	return append(text, '\n'), err
}

// replaceFile gives a file its content in one step, so that a reader never sees half of it; a file that
// has the content already is left alone.
func replaceFile(path string, content []byte, mode fs.FileMode) error {
	present, err := os.ReadFile(path)
	if err == nil && bytes.Equal(present, content) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// The runtime reads every *.conf and *.conflist: the name of the unfinished file is neither.
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".unfinished")
	if err := os.WriteFile(temporary, content, mode); err != nil {
		return err
	}
	if err := os.Chmod(temporary, mode); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
