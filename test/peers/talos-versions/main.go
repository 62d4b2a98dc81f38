// Talos's own machinery of each minor, which go-<minor>.mod names: what its types can hold (`fields`), and what
// a node says to a config (`judge`: a YAML text in JSON on each line, an answer in JSON on each line).
package main

import (
	"fmt"
	"os"
)

func main() {
	var err error

	switch os.Args[len(os.Args)-1] {
	case "fields":
		err = writeFields()
	case "judge":
		err = judgeConfigs()
	default:
		err = fmt.Errorf("fields or judge?")
	}

	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
