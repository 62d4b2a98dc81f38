// Stand-ins for the programs in the images that the addons' charts name: small programs of our own
// that do on a real node what a cluster needs of them, each started under the name of the real one.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// A program runs until it has nothing left to do or ctx is done, which is no failure.
type program func(ctx context.Context, args []string) error

// Every program by the name under which the real image starts it.
var programs = map[string]program{
	"agnhost":                         idle,
	"cilium-agent":                    runAgent,
	"cilium-certgen":                  makeNoCertificates,
	"cilium-operator-generic":         runOperator,
	"install-plugin.sh":               installPluginsOnce,
	"hcloud-cloud-controller-manager": runCloudControllerManager,
	"kubelet-csr-approver":            runApprover,
	"hcloud-csi-driver":               runStorageDriver,
	"csi-node-driver-registrar":       runRegistrar,
	"csi-attacher":                    idle,
	"csi-provisioner":                 idle,
}

func main() {
	name, args := filepath.Base(os.Args[0]), os.Args[1:]
	run, known := programs[name]
	if !known && len(args) > 0 {
		name, args = args[0], args[1:]
		run, known = programs[name]
	}
	if !known {
		fmt.Fprintf(os.Stderr, "there is no stand-in for %q\n", name)
		os.Exit(64)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, args); err != nil && ctx.Err() == nil {
		slog.Error("stopped", "program", name, "error", err)
		os.Exit(1)
	}
}

// idle stands for a program whose work is not played: it stays until it is told to go.
func idle(ctx context.Context, _ []string) error {
	<-ctx.Done()
	return nil
}

// makeNoCertificates stands for the Job that makes Hubble's certificates: nothing here reads them.
func makeNoCertificates(context.Context, []string) error {
	slog.Info("Hubble is not played, so it needs no certificates")
	return nil
}
