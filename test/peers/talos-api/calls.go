package main

import (
	"context"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/client"
	clientconfig "github.com/siderolabs/talos/pkg/machinery/client/config"
	"google.golang.org/grpc/metadata"
)

// putCalls puts calls of Version one after the other over one channel, and tells how long they took.
func putCalls(in input) error {
	config, err := clientconfig.FromString(in.Talosconfig)
	if err != nil {
		return err
	}

	ctx := metadata.AppendToOutgoingContext(context.Background(), "x-test", "quiet")

	talos, err := client.New(ctx, client.WithConfig(config), client.WithEndpoints(in.Endpoint))
	if err != nil {
		return err
	}
	defer talos.Close() //nolint:errcheck

	if _, err = talos.Version(ctx); err != nil {
		return err
	}

	start := time.Now()

	for range in.Count {
		if _, err = talos.Version(ctx); err != nil {
			return err
		}
	}

	newTeller().line(map[string]any{"milliseconds": float64(time.Since(start).Microseconds()) / 1000})

	return nil
}
