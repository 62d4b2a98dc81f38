// A Talos API server made of Talos's own service definitions: every method of every service answers, over
// mutual TLS from secrets that it is given, with messages whose every field is filled. It tells each call
// as one JSON line. With `calls`, it is a client instead: Talos's own, putting calls one after the other.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	var (
		err  error
		line input
	)

	if err = json.NewDecoder(os.Stdin).Decode(&line); err == nil {
		switch line.Op {
		case "serve":
			err = serve(line)
		case "calls":
			err = putCalls(line)
		default:
			err = fmt.Errorf("unknown op %q", line.Op)
		}
	}

	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// input is the one line that the program reads; it ends when standard input does.
type input struct {
	Op string `json:"op"`
	// Secrets bundle, YAML, as talosctl writes it: for serve.
	Bundle string `json:"bundle"`
	// Client configuration, YAML: for calls.
	Talosconfig string `json:"talosconfig"`
	Endpoint    string `json:"endpoint"`
	Count       int    `json:"count"`
}
