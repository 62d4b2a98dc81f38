// Reads the files that kubeadm is given into its own types, as strictly as it does: a field that it does not know, or a
// value of another type, ends with 1.
package main

import (
	"bytes"
	"fmt"
	"os"

	kubeadm "k8s.io/kubernetes/cmd/kubeadm/app/apis/kubeadm/v1beta4"
	"sigs.k8s.io/yaml"
)

type header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

var kinds = map[string]func() any{
	"InitConfiguration":    func() any { return &kubeadm.InitConfiguration{} },
	"ClusterConfiguration": func() any { return &kubeadm.ClusterConfiguration{} },
	"JoinConfiguration":    func() any { return &kubeadm.JoinConfiguration{} },
	"ResetConfiguration":   func() any { return &kubeadm.ResetConfiguration{} },
	"UpgradeConfiguration": func() any { return &kubeadm.UpgradeConfiguration{} },
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var head header
		check(yaml.Unmarshal(document, &head))
		if head.APIVersion == "kubelet.config.k8s.io/v1beta1" {
			continue
		}
		if head.APIVersion != kubeadm.SchemeGroupVersion.String() {
			check(fmt.Errorf("%s is not kubeadm's", head.APIVersion))
		}
		create, known := kinds[head.Kind]
		if !known {
			check(fmt.Errorf("kubeadm has no %s", head.Kind))
		}
		check(yaml.UnmarshalStrict(document, create()))
		fmt.Println(head.Kind)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
