package main

import (
	"context"
	"fmt"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// whileLeading runs work while this process holds the lease; work ends with its context. A lost lease
// ends the program, which the kubelet starts again.
func whileLeading(ctx context.Context, client kubernetes.Interface, lease string, work func(context.Context)) error {
	hostname, err := os.Hostname()
	if err != nil {
		return err
	}
	namespace := "kube-system"
	if text, err := os.ReadFile(namespaceFile); err == nil {
		namespace = string(text)
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: lease, Namespace: namespace},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprintf("%s_%d", hostname, os.Getpid())},
		},
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: work,
			OnStoppedLeading: func() {},
		},
	})
	if ctx.Err() == nil {
		return fmt.Errorf("the lease %s is lost", lease)
	}
	return nil
}
