package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader" // registers every document, too
)

// cloudMode is a machine whose boot disk is already Talos, as on every cloud.
type cloudMode struct{}

func (cloudMode) String() string        { return "cloud" }
func (cloudMode) RequiresInstall() bool { return false }
func (cloudMode) InContainer() bool     { return false }

// nothing is what a node knows of itself before it has looked: no disk, no volume, no link.
type nothing struct{ state.CoreState }

func (nothing) Get(context.Context, resource.Pointer, ...state.GetOption) (resource.Resource, error) {
	return nil, notFound{}
}

func (nothing) List(context.Context, resource.Kind, ...state.ListOption) (resource.List, error) {
	return resource.List{}, nil
}

type notFound struct{}

func (notFound) Error() string  { return "not found" }
func (notFound) NotFoundError() {}

type verdict struct {
	Error    string   `json:"error,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

func judgeConfigs() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)

	out := json.NewEncoder(os.Stdout)

	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			return err
		}

		if err := out.Encode(judge(text)); err != nil {
			return err
		}
	}

	return lines.Err()
}

// judge says what a node in a cloud would say to this config when it is applied.
func judge(text string) (said verdict) {
	defer func() {
		if caught := recover(); caught != nil {
			said.Error = fmt.Sprintf("panic: %v", caught)
		}
	}()

	provider, err := configloader.NewFromBytes([]byte(text))
	if err != nil {
		return verdict{Error: err.Error()}
	}

	warnings, err := provider.Validate(cloudMode{})
	if err != nil {
		return verdict{Error: err.Error(), Warnings: warnings}
	}

	more, err := provider.RuntimeValidate(context.Background(), state.WrapCore(nothing{}), cloudMode{})
	if err != nil {
		said.Error = err.Error()
	}

	said.Warnings = append(warnings, more...)

	return said
}
