package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	corev1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
)

const providerPrefix = "hcloud://"

// What the real manager says of a location's zone: datacenters of old, for the sake of nodes that carry
// them (see its legacydatacenter). The API itself tells of none since 2026-07-01.
var zones = map[string]string{
	"ash": "ash-dc1", "fsn1": "fsn1-dc14", "hel1": "hel1-dc2", "hil": "hil-dc1", "nbg1": "nbg1-dc3", "sin": "sin-dc1",
}

type instances struct{ *cloud }

func (it instances) InstanceExists(ctx context.Context, node *corev1.Node) (bool, error) {
	server, err := it.find(ctx, node)
	return server != nil, err
}

func (it instances) InstanceShutdown(ctx context.Context, node *corev1.Node) (bool, error) {
	server, err := it.findExisting(ctx, node)
	if err != nil {
		return false, err
	}
	return server.Status == hcloud.ServerStatusOff, nil
}

func (it instances) InstanceMetadata(ctx context.Context, node *corev1.Node) (*cloudprovider.InstanceMetadata, error) {
	server, err := it.findExisting(ctx, node)
	if err != nil {
		return nil, err
	}
	location := server.Location.Name
	zone, known := zones[location]
	if !known {
		zone = location
	}
	return &cloudprovider.InstanceMetadata{
		ProviderID:       providerPrefix + strconv.FormatInt(server.ID, 10),
		InstanceType:     server.ServerType.Name,
		NodeAddresses:    addressesOf(server, it.network),
		Region:           location,
		Zone:             zone,
		AdditionalLabels: map[string]string{"instance.hetzner.cloud/provided-by": "cloud"},
	}, nil
}

// addressesOf lists the server's name, its public IPv4 address and the one in the network.
func addressesOf(server *hcloud.Server, network *hcloud.Network) []corev1.NodeAddress {
	addresses := []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: server.Name}}
	if !server.PublicNet.IPv4.IsUnspecified() {
		addresses = append(addresses, corev1.NodeAddress{
			Type: corev1.NodeExternalIP, Address: server.PublicNet.IPv4.IP.String(),
		})
	}
	if network != nil {
		if member := server.PrivateNetFor(network); member != nil {
			addresses = append(addresses, corev1.NodeAddress{
				Type: corev1.NodeInternalIP, Address: member.IP.String(),
			})
		}
	}
	return addresses
}

func (it *cloud) findExisting(ctx context.Context, node *corev1.Node) (*hcloud.Server, error) {
	server, err := it.find(ctx, node)
	if err == nil && server == nil {
		err = fmt.Errorf("node %s has no server", node.Name)
	}
	return server, err
}

// find returns the server of a node, by its provider ID or, before it has one, by its name; nil when
// there is none.
func (it *cloud) find(ctx context.Context, node *corev1.Node) (*hcloud.Server, error) {
	if node.Spec.ProviderID == "" {
		server, _, err := it.client.Server.GetByName(ctx, node.Name)
		return server, err
	}
	id, err := serverID(node.Spec.ProviderID)
	if err != nil {
		return nil, fmt.Errorf("node %s: %w", node.Name, err)
	}
	server, _, err := it.client.Server.GetByID(ctx, id)
	return server, err
}

func serverID(providerID string) (int64, error) {
	text, ours := strings.CutPrefix(providerID, providerPrefix)
	id, err := strconv.ParseInt(text, 10, 64)
	if !ours || err != nil {
		return 0, fmt.Errorf("%q is no provider ID of a server", providerID)
	}
	return id, nil
}
