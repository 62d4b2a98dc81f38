package main

import (
	"os"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
)

func generateConfig(asked request) (answer, error) {
	contract, err := config.ParseContractFromVersion(asked.Contract)
	if err != nil {
		return answer{}, err
	}

	bundle, err := loadBundle(asked.Bundle)
	if err != nil {
		return answer{}, err
	}

	input, err := generate.NewInput(
		asked.Name,
		asked.Endpoint,
		asked.KubernetesVersion,
		generate.WithVersionContract(contract),
		generate.WithSecretsBundle(bundle),
		generate.WithInstallDisk(asked.InstallDisk),
		generate.WithAdditionalSubjectAltNames(asked.Sans),
	)
	if err != nil {
		return answer{}, err
	}

	machineType, err := machine.ParseType(asked.MachineType)
	if err != nil {
		return answer{}, err
	}

	provider, err := input.Config(machineType)
	if err != nil {
		return answer{}, err
	}

	text, err := provider.EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))

	return answer{Text: string(text)}, err
}

func loadBundle(text string) (*secrets.Bundle, error) {
	file, err := os.CreateTemp("", "bundle-*.yaml")
	if err != nil {
		return nil, err
	}

	defer os.Remove(file.Name())

	if _, err = file.WriteString(text); err != nil {
		return nil, err
	}

	if err = file.Close(); err != nil {
		return nil, err
	}

	return secrets.LoadBundle(file.Name())
}
