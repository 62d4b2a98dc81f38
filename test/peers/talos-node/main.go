// Talos's own Go client leads one node through its life: maintenance, config, bootstrap, kubeconfig,
// upgrade, reboot, reset. Each step prints one JSON line; the first that fails ends the program.
//
// With a call it makes that one alone, as whom a talosconfig says, and prints what the node answered.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"
)

type course struct {
	address string
	image   string
	cluster *cluster
}

func main() {
	var run course

	flag.StringVar(&run.address, "address", "", "the node's address")
	flag.StringVar(&run.image, "image", "", "the installer image to upgrade to")

	talosconfig := flag.String("talosconfig", "", "for a call: the file that says as whom")
	name := flag.String("call", "", "the one call to make")
	argument := flag.String("argument", "", "what it is about: an image, a service, a path")

	flag.Parse()

	if *name != "" {
		told, err := ask(*talosconfig, run.address, *name, *argument)
		if err == nil {
			err = json.NewEncoder(os.Stdout).Encode(told)
		}

		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", *name, err)
			os.Exit(1)
		}

		return
	}

	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()

	steps := []struct {
		name string
		run  func(context.Context) (any, error)
	}{
		{"maintenance", run.maintenance},
		{"apply", run.apply},
		{"version", run.version},
		{"bootstrap", run.bootstrap},
		{"bootstrap-again", run.bootstrapAgain},
		{"running", run.running},
		{"services", run.services},
		{"members", run.members},
		{"kubeconfig", run.kubeconfig},
		{"machine-config", run.machineConfig},
		{"health", run.health},
		{"snapshot", run.snapshot},
		{"upgrade", run.upgrade},
		{"reboot", run.reboot},
		{"upgraded", run.version},
		{"reset", run.reset},
	}

	out := json.NewEncoder(os.Stdout)

	for _, step := range steps {
		value, err := step.run(ctx)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", step.name, err)
			os.Exit(1)
		}

		if err := out.Encode(map[string]any{"step": step.name, "value": value}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
