package main

import (
	"path/filepath"
	"slices"
)

// bootID is where a kernel tells which boot this is. All nodes of a machine share its kernel, so each has a file of
// its own laid over it.
const bootID = "/proc/sys/kernel/random/boot_id"

// tellBoot lets a kubelet read the boot of its node: its container has a /proc of its own, which tells that of the
// machine. The container's mounts are there and its root is not yet the only one when such a hook runs.
func tellBoot(container map[string]any, bundle string) {
	process, _ := container["process"].(map[string]any)
	args, _ := process["args"].([]any)
	if !slices.ContainsFunc(args, isKubelet) {
		return
	}
	root, _ := container["root"].(map[string]any)
	path, _ := root["path"].(string)
	if !filepath.IsAbs(path) {
		path = filepath.Join(bundle, path)
	}
	hooks, _ := container["hooks"].(map[string]any)
	if hooks == nil {
		hooks = map[string]any{}
		container["hooks"] = hooks
	}
	before, _ := hooks["createContainer"].([]any)
	hooks["createContainer"] = append(before, map[string]any{
		"path": "/usr/bin/mount",
		"args": []any{"mount", "--bind", bootID, filepath.Join(path, bootID)},
	})
}

func isKubelet(arg any) bool {
	name, _ := arg.(string)
	return filepath.Base(name) == "kubelet"
}
