// Talos's own Go machinery behind a pipe: one JSON request a line on stdin, one JSON answer a line on
// stdout, so that a test can ask hundreds of questions of one process.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type request struct {
	Op string `json:"op"`
	// Config is a machine config as YAML, possibly of several documents.
	Config string `json:"config"`
	// Mode is "cloud" (a disk image is the installed system) or "metal".
	Mode string `json:"mode"`
	// Patches are applied in order.
	Patches []string `json:"patches"`
	// Bundle is a secrets bundle as talosctl writes it.
	Bundle  string  `json:"bundle"`
	Cluster cluster `json:"cluster"`
}

type cluster struct {
	Name              string   `json:"name"`
	Endpoint          string   `json:"endpoint"`
	KubernetesVersion string   `json:"kubernetesVersion"`
	Contract          string   `json:"contract"`
	MachineType       string   `json:"machineType"`
	InstallDisk       string   `json:"installDisk"`
	InstallImage      string   `json:"installImage"`
	Sans              []string `json:"sans"`
}

type answer struct {
	Error    string   `json:"error,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Text     string   `json:"text,omitempty"`
}

var operations = map[string]func(request) (answer, error){
	"validate":       validateConfig,
	"patch":          patchConfig,
	"read-bundle":    readBundle,
	"make-bundle":    makeBundle,
	"generate":       generateConfig,
	"bundle-of":      bundleOfConfig,
	"talosconfig-of": talosconfigOf,
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

	operation, known := operations[asked.Op]
	if !known {
		return answer{Error: "unknown operation " + asked.Op}
	}

	result, err := operation(asked)
	if err != nil {
		result.Error = err.Error()
	}

	return result
}
