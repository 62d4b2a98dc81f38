package main

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	cloudprovider "k8s.io/cloud-provider"
)

// Routes of the network: the range of each node's pods by way of the node's address in it.
type routes struct{ *cloud }

// ListRoutes returns every route of the network. One whose gateway is no server's is a black hole,
// which the framework removes if it lies in the pods' range.
func (it routes) ListRoutes(ctx context.Context, _ string) ([]*cloudprovider.Route, error) {
	network, err := it.currentNetwork(ctx)
	if err != nil {
		return nil, err
	}
	servers, err := it.client.Server.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list servers: %w", err)
	}
	names := map[string]string{}
	for _, server := range servers {
		if member := server.PrivateNetFor(network); member != nil {
			names[member.IP.String()] = server.Name
		}
	}
	found := make([]*cloudprovider.Route, 0, len(network.Routes))
	for _, route := range network.Routes {
		name, known := names[route.Gateway.String()]
		found = append(found, &cloudprovider.Route{
			Name:            fmt.Sprintf("%s-%s", route.Gateway, route.Destination),
			DestinationCIDR: route.Destination.String(),
			TargetNode:      types.NodeName(name),
			Blackhole:       !known,
		})
	}
	return found, nil
}

// CreateRoute makes a route, in place of one for the same range by way of another node.
func (it routes) CreateRoute(ctx context.Context, _, _ string, wanted *cloudprovider.Route) error {
	_, destination, err := net.ParseCIDR(wanted.DestinationCIDR)
	if err != nil {
		return err
	}
	if destination.IP.To4() == nil {
		return fmt.Errorf("%s is IPv6, which Hetzner's networks do not route", destination)
	}
	node, err := it.nodes.Get(string(wanted.TargetNode))
	if err != nil {
		return err
	}
	server, err := it.findExisting(ctx, node)
	if err != nil {
		return err
	}
	member := server.PrivateNetFor(it.network)
	if member == nil {
		return fmt.Errorf("server %s is not in the network %s", server.Name, it.network.Name)
	}
	if !isInternalAddress(wanted.TargetNodeAddresses, member.IP) {
		return fmt.Errorf("node %s does not have the address %s yet", node.Name, member.IP)
	}
	network, err := it.currentNetwork(ctx)
	if err != nil {
		return err
	}
	if present := routeTo(network, destination); present != nil {
		if present.Gateway.Equal(member.IP) {
			return nil
		}
		if err := it.remove(ctx, *present); err != nil {
			return err
		}
	}
	action, _, err := it.client.Network.AddRoute(ctx, it.network, hcloud.NetworkAddRouteOpts{
		Route: hcloud.NetworkRoute{Destination: destination, Gateway: member.IP},
	})
	if hcloud.IsError(err, hcloud.ErrorCodeLocked, hcloud.ErrorCodeConflict) {
		// Another change of the network is on its way: the framework tries such an error again at once.
		return apierrors.NewConflict(corev1.Resource("nodes"), node.Name, err)
	}
	if err != nil {
		return fmt.Errorf("add the route for %s: %w", destination, err)
	}
	return it.client.Action.WaitFor(ctx, action)
}

func (it routes) DeleteRoute(ctx context.Context, _ string, unwanted *cloudprovider.Route) error {
	_, destination, err := net.ParseCIDR(unwanted.DestinationCIDR)
	if err != nil {
		return err
	}
	network, err := it.currentNetwork(ctx)
	if err != nil {
		return err
	}
	present := routeTo(network, destination)
	if present == nil {
		return nil
	}
	return it.remove(ctx, *present)
}

func (it routes) remove(ctx context.Context, route hcloud.NetworkRoute) error {
	action, _, err := it.client.Network.DeleteRoute(ctx, it.network, hcloud.NetworkDeleteRouteOpts{Route: route})
	if err != nil {
		return fmt.Errorf("delete the route for %s: %w", route.Destination, err)
	}
	return it.client.Action.WaitFor(ctx, action)
}

func (it routes) currentNetwork(ctx context.Context) (*hcloud.Network, error) {
	network, _, err := it.client.Network.GetByID(ctx, it.network.ID)
	if err == nil && network == nil {
		err = errors.New("the network is gone")
	}
	return network, err
}

func routeTo(network *hcloud.Network, destination *net.IPNet) *hcloud.NetworkRoute {
	for index, route := range network.Routes {
		if route.Destination.String() == destination.String() {
			return &network.Routes[index]
		}
	}
	return nil
}

func isInternalAddress(addresses []corev1.NodeAddress, ip net.IP) bool {
	for _, address := range addresses {
		if address.Type == corev1.NodeInternalIP && address.Address == ip.String() {
			return true
		}
	}
	return false
}
