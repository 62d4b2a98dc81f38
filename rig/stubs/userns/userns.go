// Package userns takes the place of github.com/moby/sys/userns in the programs of the real nodes.
//
// Machined lowers the OOM score of what it starts, and takes a refusal for a failure of the service. A root without
// CAP_SYS_RESOURCE is refused. The function that lowers it forgives a refusal inside a user namespace: to that
// function, and to no other, this host is one.
package userns

import (
	"runtime"
	"strings"
)

// forgiving ends the full name of the function that may take this host for a user namespace.
const forgiving = "pkg/sys.SetOOMScore"

// RunningInUserNS tells whether its caller is to behave as in a user namespace.
func RunningInUserNS() bool {
	counters := make([]uintptr, 4)
	depth := runtime.Callers(2, counters)
	frames := runtime.CallersFrames(counters[:depth])
	for more := depth > 0; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if strings.HasSuffix(frame.Function, forgiving) {
			return true
		}
	}
	return false
}
