package main

import (
	"os"

	"go.yaml.in/yaml/v4"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
)

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

// readBundle loads and validates a bundle, and answers with what it would itself write for it.
func readBundle(asked request) (answer, error) {
	bundle, err := loadBundle(asked.Bundle)
	if err != nil {
		return answer{}, err
	}

	if err = bundle.Validate(); err != nil {
		return answer{}, err
	}

	text, err := yaml.Marshal(bundle)

	return answer{Text: string(text)}, err
}

// makeBundle makes a bundle as `talosctl gen secrets` would.
func makeBundle(asked request) (answer, error) {
	contract, err := config.ParseContractFromVersion(asked.Cluster.Contract)
	if err != nil {
		return answer{}, err
	}

	bundle, err := secrets.NewBundle(secrets.NewClock(), contract)
	if err != nil {
		return answer{}, err
	}

	text, err := yaml.Marshal(bundle)

	return answer{Text: string(text)}, err
}

// bundleOfConfig takes the secrets out of a control plane's machine config.
func bundleOfConfig(asked request) (answer, error) {
	provider, err := configloader.NewFromBytes([]byte(asked.Config))
	if err != nil {
		return answer{}, err
	}

	text, err := yaml.Marshal(secrets.NewBundleFromConfig(secrets.NewClock(), provider))

	return answer{Text: string(text)}, err
}

// talosconfigOf makes the client configuration that talosctl would make from a bundle.
func talosconfigOf(asked request) (answer, error) {
	input, err := inputFor(asked)
	if err != nil {
		return answer{}, err
	}

	client, err := input.Talosconfig()
	if err != nil {
		return answer{}, err
	}

	text, err := client.Bytes()

	return answer{Text: string(text)}, err
}
