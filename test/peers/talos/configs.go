package main

import (
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
)

// cloudMode is a machine whose boot disk is already Talos, as on every cloud.
type cloudMode struct{}

func (cloudMode) String() string        { return "cloud" }
func (cloudMode) RequiresInstall() bool { return false }
func (cloudMode) InContainer() bool     { return false }

type metalMode struct{ cloudMode }

func (metalMode) String() string        { return "metal" }
func (metalMode) RequiresInstall() bool { return true }

func validateConfig(asked request) (answer, error) {
	provider, err := configloader.NewFromBytes([]byte(asked.Config))
	if err != nil {
		return answer{}, err
	}

	var mode validation.RuntimeMode = cloudMode{}
	if asked.Mode == "metal" {
		mode = metalMode{}
	}

	warnings, err := provider.Validate(mode, validation.WithStrict(), validation.WithLocal())

	return answer{Warnings: warnings}, err
}

func patchConfig(asked request) (answer, error) {
	patches, err := configpatcher.LoadPatches(asked.Patches)
	if err != nil {
		return answer{}, err
	}

	patched, err := configpatcher.Apply(configpatcher.WithBytes([]byte(asked.Config)), patches)
	if err != nil {
		return answer{}, err
	}

	text, err := patched.Bytes()

	return answer{Text: string(text)}, err
}

func generateConfig(asked request) (answer, error) {
	input, err := inputFor(asked)
	if err != nil {
		return answer{}, err
	}

	machineType, err := machine.ParseType(asked.Cluster.MachineType)
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

func inputFor(asked request) (*generate.Input, error) {
	contract, err := config.ParseContractFromVersion(asked.Cluster.Contract)
	if err != nil {
		return nil, err
	}

	bundle, err := loadBundle(asked.Bundle)
	if err != nil {
		return nil, err
	}

	return generate.NewInput(
		asked.Cluster.Name,
		asked.Cluster.Endpoint,
		asked.Cluster.KubernetesVersion,
		generate.WithVersionContract(contract),
		generate.WithSecretsBundle(bundle),
		generate.WithInstallDisk(asked.Cluster.InstallDisk),
		generate.WithInstallImage(asked.Cluster.InstallImage),
		generate.WithAdditionalSubjectAltNames(asked.Cluster.Sans),
	)
}
