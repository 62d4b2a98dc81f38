package main

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
)

const forwardingSwitch = "/proc/sys/net/ipv4/ip_forward"

// masqueradeRules gives packets of this node's pods the node's address once they leave the range in
// which pod addresses are routed. The table is replaced whole, in one transaction.
func masqueradeRules(podRange, nativeRange netip.Prefix) string {
	return fmt.Sprintf(`table ip cilium_standin
delete table ip cilium_standin
table ip cilium_standin {
	chain postrouting {
		type nat hook postrouting priority srcnat + 10; policy accept;
		ip saddr %s ip daddr != %s masquerade
	}
}
`, podRange.Masked(), nativeRange.Masked())
}

func masquerade(ctx context.Context, podRange, nativeRange netip.Prefix) error {
	command := exec.CommandContext(ctx, "nft", "-f", "-")
	command.Stdin = strings.NewReader(masqueradeRules(podRange, nativeRange))
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("masquerade what pods send outside: %w: %s", err, output)
	}
	return nil
}

// enableForwarding makes a router of the node; most are one already, where this file is read-only.
func enableForwarding() error {
	present, err := os.ReadFile(forwardingSwitch)
	if err == nil && strings.TrimSpace(string(present)) == "1" {
		return nil
	}
	if err := os.WriteFile(forwardingSwitch, []byte("1\n"), 0); err != nil {
		return fmt.Errorf("let packets through: %w", err)
	}
	return nil
}
