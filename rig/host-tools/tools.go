//go:build tools

// Package tools names the programs, so that the module requires what they need.
package tools

import (
	_ "go.etcd.io/etcd/etcdctl/v3"
	_ "sigs.k8s.io/cri-tools/cmd/crictl"
)
