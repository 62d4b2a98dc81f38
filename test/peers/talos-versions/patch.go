package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
)

type patching struct {
	Config string `json:"config"`
	Patch  string `json:"patch"`
}

type patched struct {
	Error string `json:"error,omitempty"`
	Text  string `json:"text,omitempty"`
}

// patchConfigs puts the patch on each line into the config beside it.
func patchConfigs() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)

	out := json.NewEncoder(os.Stdout)

	for lines.Scan() {
		var asked patching
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}

		if err := out.Encode(patch(asked)); err != nil {
			return err
		}
	}

	return lines.Err()
}

func patch(asked patching) (result patched) {
	defer func() {
		if caught := recover(); caught != nil {
			result = patched{Error: fmt.Sprintf("panic: %v", caught)}
		}
	}()

	loaded, err := configpatcher.LoadPatch([]byte(asked.Patch))
	if err != nil {
		return patched{Error: err.Error()}
	}

	made, err := configpatcher.Apply(configpatcher.WithBytes([]byte(asked.Config)), []configpatcher.Patch{loaded})
	if err != nil {
		return patched{Error: err.Error()}
	}

	text, err := made.Bytes()
	if err != nil {
		return patched{Error: err.Error()}
	}

	return patched{Text: string(text)}
}
