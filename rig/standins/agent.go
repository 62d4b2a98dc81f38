package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const (
	agentHealthAddress = "127.0.0.1:9879"
	hostConflists      = "/host/etc/cni/net.d"
)

// runAgent is the network of one node: addresses for pods, their way out, and Services. What it has
// written stays when it ends, so that pods keep their network while the agent is exchanged.
func runAgent(ctx context.Context, args []string) error {
	settings, err := parseAgentSettings(args)
	if err != nil {
		return err
	}
	nodeName := os.Getenv("K8S_NODE_NAME")
	if nodeName == "" {
		return errors.New("K8S_NODE_NAME is not set")
	}
	client, err := connect()
	if err != nil {
		return err
	}
	var connected atomic.Bool
	check := func() error {
		if !connected.Load() {
			return errors.New("pods have no network yet")
		}
		return nil
	}
	if err := serveHealth(ctx, agentHealthAddress, check); err != nil {
		return err
	}
	var proxy sync.WaitGroup
	defer proxy.Wait()
	if settings.replacesKubeProxy {
		proxy.Go(func() {
			// The kernel ties a child to the thread that made it.
			runtime.LockOSThread()
			keepKubeProxy(ctx, kubeProxyArguments(nodeName, settings.proxyHealthAddress))
		})
	}
	podRange, err := awaitPodRange(ctx, client, nodeName)
	if err != nil {
		return err
	}
	slog.Info("the node has its pods' range", "node", nodeName, "range", podRange)
	for ctx.Err() == nil {
		err := layNetwork(ctx, client, nodeName, podRange, settings)
		connected.Store(err == nil)
		if err != nil {
			slog.Warn("the network is not laid", "error", err)
			pause(ctx, 2*time.Second)
			continue
		}
		pause(ctx, 30*time.Second)
	}
	return nil
}

// awaitPodRange waits until the controller manager has given the node a range for its pods.
func awaitPodRange(ctx context.Context, client kubernetes.Interface, nodeName string) (netip.Prefix, error) {
	for ctx.Err() == nil {
		node, err := client.CoreV1().Nodes().Get(ctx, nodeName, metav1.GetOptions{})
		if err == nil && node.Spec.PodCIDR != "" {
			return netip.ParsePrefix(node.Spec.PodCIDR)
		}
		slog.Info("waiting for the pods' range", "node", nodeName, "error", err)
		pause(ctx, time.Second)
	}
	return netip.Prefix{}, ctx.Err()
}

// layNetwork does what is not done yet; the configuration comes last, since pods start upon it.
func layNetwork(
	ctx context.Context,
	client kubernetes.Interface,
	nodeName string,
	podRange netip.Prefix,
	settings agentSettings,
) error {
	if err := enableForwarding(); err != nil {
		return err
	}
	if err := masquerade(ctx, podRange, settings.nativeRange); err != nil {
		return err
	}
	text, err := conflist(podRange, settings.mtu)
	if err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(hostConflists, conflistName), text, 0o600); err != nil {
		return fmt.Errorf("write the network's configuration: %w", err)
	}
	return reportNetwork(ctx, client, nodeName)
}

// reportNetwork sets the condition that Cilium sets, unless the node has it.
func reportNetwork(ctx context.Context, client kubernetes.Interface, nodeName string) error {
	node, err := client.CoreV1().Nodes().Get(ctx, nodeName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeNetworkUnavailable && condition.Status == corev1.ConditionFalse {
			return nil
		}
	}
	now := metav1.Now()
	patch, err := json.Marshal(map[string]any{"status": map[string]any{
		"conditions": []corev1.NodeCondition{{
			Type:               corev1.NodeNetworkUnavailable,
			Status:             corev1.ConditionFalse,
			Reason:             "CiliumIsUp",
			Message:            "Cilium is running on this node",
			LastTransitionTime: now,
			LastHeartbeatTime:  now,
		}},
	}})
	if err != nil {
		return err
	}
	_, err = client.CoreV1().Nodes().PatchStatus(ctx, nodeName, patch)
	return err
}
