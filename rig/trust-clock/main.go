// Trust-clock makes the kernel call its clock right for as long as standard input is open.
//
// A host in a container has the machine's clock, which it may not set: whether that is right, only the machine can say.
// Where nothing there does, because a hypervisor keeps its time, the kernel calls it wrong by the most that there is.
package main

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// setMaxError is ADJ_MAXERROR of the kernel.
const setMaxError = 0x4

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "trust-clock:", err)
		os.Exit(1)
	}
}

func run() error {
	var before syscall.Timex
	if _, err := syscall.Adjtimex(&before); err != nil {
		return err
	}
	if err := setError(0); err != nil {
		return err
	}
	fmt.Println("trusted")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return setError(before.Maxerror)
}

// setError sets by how many microseconds the clock may be wrong.
func setError(most int64) error {
	_, err := syscall.Adjtimex(&syscall.Timex{Modes: setMaxError, Maxerror: most})
	return err
}
