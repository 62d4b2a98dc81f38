// Talos's machinery that knows two shapes of a machine config: what it generates for a contract (`generate`), and
// what a node reads out of a config, whatever its shape (`read`). One JSON request a line on stdin, one JSON
// answer a line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type request struct {
	Op string `json:"op"`
	// Config is a machine config as YAML.
	Config string `json:"config"`
	// Bundle is a secrets bundle as talosctl writes it.
	Bundle            string   `json:"bundle"`
	Name              string   `json:"name"`
	Endpoint          string   `json:"endpoint"`
	KubernetesVersion string   `json:"kubernetesVersion"`
	Contract          string   `json:"contract"`
	MachineType       string   `json:"machineType"`
	InstallDisk       string   `json:"installDisk"`
	Sans              []string `json:"sans"`
}

type answer struct {
	Error   string `json:"error,omitempty"`
	Text    string `json:"text,omitempty"`
	Reading any    `json:"reading,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)

	out := json.NewEncoder(os.Stdout)

	for lines.Scan() {
		if err := out.Encode(reply(lines.Bytes())); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func reply(line []byte) (result answer) {
	defer func() {
		if caught := recover(); caught != nil {
			result = answer{Error: fmt.Sprintf("panic: %v", caught)}
		}
	}()

	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: err.Error()}
	}

	var err error

	switch asked.Op {
	case "generate":
		result, err = generateConfig(asked)
	case "read":
		result, err = readConfig(asked)
	default:
		err = fmt.Errorf("unknown operation %q", asked.Op)
	}

	if err != nil {
		return answer{Error: err.Error()}
	}

	return result
}
