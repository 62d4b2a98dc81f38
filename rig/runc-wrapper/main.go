// Runc-wrapper stands in a node under the name runc. It takes from a container's description what the host of the
// node cannot give, and hands over to the real runc, which lies beside it as runc.real.
//
// A root without CAP_SYS_RESOURCE may neither give that capability away, nor raise a limit, nor lower an OOM score. On
// version 1 of cgroups, /sys/fs/cgroup is a tree of mounts, which a plain bind does not carry along. On version 2 beside
// it there are no controllers, and a limit cannot be set. Where the host has all, nothing is changed. Kubelets are told the boot of their node, wherever they run.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "runc-wrapper:", err)
		os.Exit(1)
	}
}

// run edits the files that the arguments name, and becomes runc; it returns only if that fails.
func run(args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	host, err := readHost()
	if err != nil {
		return err
	}
	for _, named := range descriptions(args) {
		if err := host.fit(named); err != nil {
			return err
		}
	}
	return syscall.Exec(filepath.Join(filepath.Dir(self), "runc.real"), args, os.Environ())
}

// description is a file that describes a whole container, or only a process for one that runs.
type description struct {
	path      string
	container bool
}

// descriptions finds the files behind --bundle and --process, in both spellings of each.
func descriptions(args []string) []description {
	var found []description
	for i, flag := range args {
		if i+1 == len(args) {
			break
		}
		switch flag {
		case "--bundle", "-b":
			found = append(found, description{filepath.Join(args[i+1], "config.json"), true})
		case "--process", "-p":
			found = append(found, description{args[i+1], false})
		}
	}
	return found
}
