package main

import (
	"time"

	"github.com/siderolabs/talos/pkg/machinery/client"
	clientconfig "github.com/siderolabs/talos/pkg/machinery/client/config"
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
)

// cluster is one that Talos's own generator made: a control plane config, and how to talk to it.
type cluster struct {
	config      []byte
	talosconfig *clientconfig.Config
}

func newCluster(address string) (*cluster, error) {
	contract := config.TalosVersion1_13

	bundle, err := secrets.NewBundle(secrets.NewFixedClock(time.Now()), contract)
	if err != nil {
		return nil, err
	}

	input, err := generate.NewInput(
		"demo", "https://"+address+":6443", "1.35.0",
		generate.WithVersionContract(contract),
		generate.WithSecretsBundle(bundle),
		generate.WithEndpointList([]string{address}),
		generate.WithAdditionalSubjectAltNames([]string{address}),
	)
	if err != nil {
		return nil, err
	}

	provider, err := input.Config(machine.TypeControlPlane)
	if err != nil {
		return nil, err
	}

	text, err := provider.EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))
	if err != nil {
		return nil, err
	}

	talosconfig, err := input.Talosconfig()
	if err != nil {
		return nil, err
	}

	return &cluster{config: text, talosconfig: talosconfig}, nil
}

func (run *course) client() []client.OptionFunc {
	return []client.OptionFunc{client.WithConfig(run.cluster.talosconfig), client.WithEndpoints(run.address)}
}
