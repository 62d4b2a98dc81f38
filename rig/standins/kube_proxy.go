package main

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const kubeProxyPath = "/usr/local/bin/kube-proxy"

// kubeProxyArguments make the real kube-proxy do what Cilium does in its place. What the pods' ends on
// the host are called is the ptp plugin's choice; limits of conntrack are those of the machine.
func kubeProxyArguments(nodeName, healthAddress string) []string {
	args := []string{
		"--proxy-mode=nftables",
		"--hostname-override=" + nodeName,
		"--detect-local-mode=InterfaceNamePrefix",
		"--pod-interface-name-prefix=veth",
		"--nodeport-addresses=0.0.0.0/0",
		"--metrics-bind-address=127.0.0.1:10249",
		"--conntrack-max-per-core=0",
		"--conntrack-tcp-timeout-established=0s",
		"--conntrack-tcp-timeout-close-wait=0s",
		"--oom-score-adj=0",
	}
	if healthAddress != "" {
		args = append(args, "--healthz-bind-address="+healthAddress)
	}
	return args
}

// keepKubeProxy runs kube-proxy until ctx is done, and again whenever it ends: it gives up where the
// API does not know the node yet.
func keepKubeProxy(ctx context.Context, args []string) {
	for ctx.Err() == nil {
		command := exec.CommandContext(ctx, kubeProxyPath, args...)
		command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
		command.WaitDelay = 5 * time.Second
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		// Never outlives the agent, however that ends.
		command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		err := command.Run()
		if ctx.Err() == nil {
			slog.Warn("kube-proxy ended and is started again", "error", err)
			pause(ctx, 2*time.Second)
		}
	}
}

func pause(ctx context.Context, duration time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(duration):
	}
}
