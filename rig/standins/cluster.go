package main

import (
	"fmt"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// connect reaches the cluster by the pod's own credentials (KUBERNETES_SERVICE_HOST decides the way),
// or by the file that KUBECONFIG names: so that every program can be tried outside of a pod.
func connect() (kubernetes.Interface, error) {
	config, err := rest.InClusterConfig()
	if err == rest.ErrNotInCluster {
		rules := clientcmd.NewDefaultClientConfigLoadingRules()
		loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil)
		config, err = loader.ClientConfig()
	}
	if err != nil {
		return nil, fmt.Errorf("find the way to the cluster: %w", err)
	}
	return kubernetes.NewForConfig(config)
}
