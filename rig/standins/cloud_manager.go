package main

import (
	"context"
	"os"

	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	cliflag "k8s.io/component-base/cli/flag"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	"k8s.io/klog/v2"
)

// runCloudControllerManager is Kubernetes' own framework of cloud controller managers (nodes, their
// life cycle, routes, load balancers) over a small Hetzner cloud.
func runCloudControllerManager(ctx context.Context, args []string) error {
	// The framework heeds no signal: the real manager dies of one, and so does this.
	go func() {
		<-ctx.Done()
		os.Exit(0)
	}()
	managerOptions, err := options.NewCloudControllerManagerOptions()
	if err != nil {
		return err
	}
	newCloud := func(completed *config.CompletedConfig) cloudprovider.Interface {
		shared := completed.ComponentConfig.KubeCloudShared
		nodes := completed.SharedInformers.Core().V1().Nodes().Lister()
		cloud, err := newCloud(os.Getenv, shared.ClusterCIDR, nodes)
		if err != nil {
			klog.Fatalf("Hetzner's cloud: %v", err)
		}
		return cloud
	}
	command := app.NewCloudControllerManagerCommand(
		managerOptions,
		newCloud,
		app.DefaultInitFuncConstructors,
		names.CCMControllerAliases(),
		cliflag.NamedFlagSets{},
		wait.NeverStop,
	)
	command.SetArgs(args)
	return command.Execute()
}
