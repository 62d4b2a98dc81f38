package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	"github.com/hetznercloud/hcloud-go/v2/hcloud/metadata"
	corelisters "k8s.io/client-go/listers/core/v1"
	cloudprovider "k8s.io/cloud-provider"
)

// Hetzner's cloud, as the framework wants to see one.
type cloud struct {
	client *hcloud.Client
	// Of which nodes are members; nil without one.
	network *hcloud.Network
	// Whether the network is to have a route for each node's pods.
	routesWanted bool
	podRange     string
	balancer     balancerDefaults
	nodes        corelisters.NodeLister
}

// newCloud reads the environment that the chart gives: the variables have the real manager's names.
func newCloud(variable func(string) string, podRange string, nodes corelisters.NodeLister) (*cloud, error) {
	token := variable("HCLOUD_TOKEN")
	if token == "" {
		return nil, errors.New("HCLOUD_TOKEN is not set")
	}
	clientOptions := []hcloud.ClientOption{
		hcloud.WithToken(token),
		hcloud.WithApplication("hcloud-cloud-controller", "stand-in"),
		hcloud.WithHTTPClient(&http.Client{Timeout: 15 * time.Second}),
	}
	if endpoint := variable("HCLOUD_ENDPOINT"); endpoint != "" {
		clientOptions = append(clientOptions, hcloud.WithEndpoint(endpoint))
	}
	it := &cloud{
		client:       hcloud.NewClient(clientOptions...),
		podRange:     podRange,
		routesWanted: variable("HCLOUD_NETWORK_ROUTES_ENABLED") != "false",
		nodes:        nodes,
	}
	var err error
	if it.balancer, err = balancerDefaultsOf(variable); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if name := variable("HCLOUD_NETWORK"); name != "" {
		if it.network, _, err = it.client.Network.Get(ctx, name); err != nil {
			return nil, fmt.Errorf("find the network %s: %w", name, err)
		}
		if it.network == nil {
			return nil, fmt.Errorf("there is no network %s", name)
		}
		if variable("HCLOUD_NETWORK_DISABLE_ATTACHED_CHECK") != "true" {
			if err := ensureMember(ctx, it.network.ID); err != nil {
				return nil, err
			}
		}
	}
	// Shows that the token is good and the API can be reached.
	if _, _, err := it.client.Location.List(ctx, hcloud.LocationListOpts{}); err != nil {
		return nil, fmt.Errorf("reach Hetzner's API: %w", err)
	}
	return it, nil
}

// ensureMember asks the metadata service whether this server is in the network, as the real one does.
func ensureMember(ctx context.Context, network int64) error {
	networks, err := metadata.NewClient(metadata.WithTimeout(5 * time.Second)).PrivateNetworksWithContext(ctx)
	if err != nil {
		return fmt.Errorf("ask the metadata service for this server's networks: %w", err)
	}
	if !strings.Contains(networks+"\n", fmt.Sprintf("network_id: %d\n", network)) {
		return fmt.Errorf("this server is not in the network %d", network)
	}
	return nil
}

func (*cloud) Initialize(cloudprovider.ControllerClientBuilder, <-chan struct{}) {}

func (*cloud) ProviderName() string { return "hcloud" }

func (*cloud) HasClusterID() bool { return false }

func (it *cloud) InstancesV2() (cloudprovider.InstancesV2, bool) { return instances{it}, true }

func (it *cloud) Routes() (cloudprovider.Routes, bool) {
	if it.network == nil || !it.routesWanted {
		return nil, false
	}
	return routes{it}, true
}

func (it *cloud) LoadBalancer() (cloudprovider.LoadBalancer, bool) { return balancers{it}, true }

func (*cloud) Instances() (cloudprovider.Instances, bool) { return nil, false }

func (*cloud) Zones() (cloudprovider.Zones, bool) { return nil, false }

func (*cloud) Clusters() (cloudprovider.Clusters, bool) { return nil, false }
