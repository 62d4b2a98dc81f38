// Talos's own machinery of each minor, which go-<minor>.mod names: what its types can hold (`fields`), and what
// a node says to a config (`judge`: a YAML text in JSON on each line, an answer in JSON on each line), and what
// becomes of one by a patch (`patch`: likewise).
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
	case "patch":
		err = patchConfigs()
	default:
		err = fmt.Errorf("fields, judge or patch?")
	}

	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
