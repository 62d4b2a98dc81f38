package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	corev1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
)

const (
	serviceLabel       = "hcloud-ccm/service-uid"
	nameAnnotation     = "load-balancer.hetzner.cloud/name"
	locationAnnotation = "load-balancer.hetzner.cloud/location"
)

// A load balancer for each Service of that type: TCP to the Service's ports on every node. Of the
// annotations of the real manager only those for name and location are heeded.
type balancers struct{ *cloud }

func (it balancers) GetLoadBalancerName(_ context.Context, _ string, service *corev1.Service) string {
	if name := service.Annotations[nameAnnotation]; name != "" {
		return name
	}
	return cloudprovider.DefaultLoadBalancerName(service)
}

func (it balancers) GetLoadBalancer(
	ctx context.Context, _ string, service *corev1.Service,
) (*corev1.LoadBalancerStatus, bool, error) {
	found, err := it.ofService(ctx, service)
	if err != nil || found == nil {
		return nil, false, err
	}
	return it.status(found), true, nil
}

func (it balancers) EnsureLoadBalancer(
	ctx context.Context, cluster string, service *corev1.Service, nodes []*corev1.Node,
) (*corev1.LoadBalancerStatus, error) {
	balancer, err := it.ofService(ctx, service)
	if err != nil {
		return nil, err
	}
	if balancer == nil {
		name := it.GetLoadBalancerName(ctx, cluster, service)
		if balancer, err = it.create(ctx, name, service); err != nil {
			return nil, fmt.Errorf("create the load balancer %s: %w", name, err)
		}
	}
	if err := it.ensure(ctx, balancer, service, nodes); err != nil {
		return nil, fmt.Errorf("load balancer %s: %w", balancer.Name, err)
	}
	balancer, err = it.ofService(ctx, service)
	if err == nil && balancer == nil {
		err = errors.New("the load balancer is gone")
	}
	if err != nil {
		return nil, err
	}
	return it.status(balancer), nil
}

func (it balancers) UpdateLoadBalancer(
	ctx context.Context, _ string, service *corev1.Service, nodes []*corev1.Node,
) error {
	balancer, err := it.ofService(ctx, service)
	if err != nil || balancer == nil {
		return err
	}
	return it.ensure(ctx, balancer, service, nodes)
}

func (it balancers) EnsureLoadBalancerDeleted(ctx context.Context, _ string, service *corev1.Service) error {
	balancer, err := it.ofService(ctx, service)
	if err != nil || balancer == nil {
		return err
	}
	_, err = it.client.LoadBalancer.Delete(ctx, balancer)
	if hcloud.IsError(err, hcloud.ErrorCodeNotFound) {
		return nil
	}
	return err
}

func (it balancers) ofService(ctx context.Context, service *corev1.Service) (*hcloud.LoadBalancer, error) {
	found, err := it.client.LoadBalancer.AllWithOpts(ctx, hcloud.LoadBalancerListOpts{
		ListOpts: hcloud.ListOpts{LabelSelector: fmt.Sprintf("%s=%s", serviceLabel, service.UID)},
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

func (it balancers) create(ctx context.Context, name string, service *corev1.Service) (*hcloud.LoadBalancer, error) {
	location := it.balancer.location
	if asked := service.Annotations[locationAnnotation]; asked != "" {
		location = asked
	}
	if location == "" {
		return nil, fmt.Errorf("neither HCLOUD_LOAD_BALANCERS_LOCATION nor the annotation %s is set", locationAnnotation)
	}
	wanted := hcloud.LoadBalancerCreateOpts{
		Name:             name,
		LoadBalancerType: &hcloud.LoadBalancerType{Name: it.balancer.kind},
		Location:         &hcloud.Location{Name: location},
		Labels:           map[string]string{serviceLabel: string(service.UID)},
	}
	if it.balancer.algorithm != "" {
		wanted.Algorithm = &hcloud.LoadBalancerAlgorithm{Type: it.balancer.algorithm}
	}
	result, _, err := it.client.LoadBalancer.Create(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if err := it.client.Action.WaitFor(ctx, result.Action); err != nil {
		return nil, err
	}
	return result.LoadBalancer, nil
}

// ensure brings network, ports and targets to what the Service and the nodes say.
func (it balancers) ensure(
	ctx context.Context, balancer *hcloud.LoadBalancer, service *corev1.Service, nodes []*corev1.Node,
) error {
	if it.network != nil && !isAttached(balancer, it.network) {
		attach := hcloud.LoadBalancerAttachToNetworkOpts{Network: it.network, IPRange: it.balancer.subnet}
		if err := it.await(ctx)(it.client.LoadBalancer.AttachToNetwork(ctx, balancer, attach)); err != nil {
			return fmt.Errorf("attach to the network: %w", err)
		}
	}
	if err := it.ensurePorts(ctx, balancer, service.Spec.Ports); err != nil {
		return err
	}
	return it.ensureTargets(ctx, balancer, nodes)
}

func (it balancers) ensurePorts(ctx context.Context, balancer *hcloud.LoadBalancer, ports []corev1.ServicePort) error {
	present := map[int]hcloud.LoadBalancerService{}
	for _, service := range balancer.Services {
		present[service.ListenPort] = service
	}
	for _, port := range ports {
		listen, target := int(port.Port), int(port.NodePort)
		service, known := present[listen]
		delete(present, listen)
		if known && service.DestinationPort == target {
			continue
		}
		if known {
			if err := it.await(ctx)(it.client.LoadBalancer.DeleteService(ctx, balancer, listen)); err != nil {
				return fmt.Errorf("take back port %d: %w", listen, err)
			}
		}
		check := it.balancer.healthCheck
		check.Port = &target
		wanted := hcloud.LoadBalancerAddServiceOpts{
			Protocol:        hcloud.LoadBalancerServiceProtocolTCP,
			ListenPort:      &listen,
			DestinationPort: &target,
			HealthCheck:     &check,
		}
		if err := it.await(ctx)(it.client.LoadBalancer.AddService(ctx, balancer, wanted)); err != nil {
			return fmt.Errorf("listen on port %d: %w", listen, err)
		}
	}
	for listen := range present {
		if err := it.await(ctx)(it.client.LoadBalancer.DeleteService(ctx, balancer, listen)); err != nil {
			return fmt.Errorf("take back port %d: %w", listen, err)
		}
	}
	return nil
}

func (it balancers) ensureTargets(ctx context.Context, balancer *hcloud.LoadBalancer, nodes []*corev1.Node) error {
	present := map[int64]bool{}
	for _, target := range balancer.Targets {
		if target.Server != nil {
			present[target.Server.Server.ID] = true
		}
	}
	usePrivateIP := it.balancer.usePrivateIP && it.network != nil
	for _, node := range nodes {
		id, err := serverID(node.Spec.ProviderID)
		if err != nil {
			// A node that is not Hetzner's, or not known yet; it comes with a later update.
			continue
		}
		if present[id] {
			delete(present, id)
			continue
		}
		target := hcloud.LoadBalancerAddServerTargetOpts{Server: &hcloud.Server{ID: id}, UsePrivateIP: &usePrivateIP}
		if err := it.await(ctx)(it.client.LoadBalancer.AddServerTarget(ctx, balancer, target)); err != nil {
			return fmt.Errorf("add node %s: %w", node.Name, err)
		}
	}
	for id := range present {
		server := &hcloud.Server{ID: id}
		if err := it.await(ctx)(it.client.LoadBalancer.RemoveServerTarget(ctx, balancer, server)); err != nil {
			return fmt.Errorf("remove server %d: %w", id, err)
		}
	}
	return nil
}

func (it balancers) status(balancer *hcloud.LoadBalancer) *corev1.LoadBalancerStatus {
	mode := corev1.LoadBalancerIPModeVIP
	var ingress []corev1.LoadBalancerIngress
	if balancer.PublicNet.Enabled {
		for _, address := range []string{balancer.PublicNet.IPv4.IP.String(), balancer.PublicNet.IPv6.IP.String()} {
			ingress = append(ingress, corev1.LoadBalancerIngress{IP: address, IPMode: &mode})
		}
	}
	if it.balancer.privateIngress {
		for _, member := range balancer.PrivateNet {
			ingress = append(ingress, corev1.LoadBalancerIngress{IP: member.IP.String(), IPMode: &mode})
		}
	}
	return &corev1.LoadBalancerStatus{Ingress: ingress}
}

// await turns the answer of a call that starts an action into the action's end.
func (it *cloud) await(ctx context.Context) func(*hcloud.Action, *hcloud.Response, error) error {
	return func(action *hcloud.Action, _ *hcloud.Response, err error) error {
		if err != nil {
			return err
		}
		return it.client.Action.WaitFor(ctx, action)
	}
}

func isAttached(balancer *hcloud.LoadBalancer, network *hcloud.Network) bool {
	for _, member := range balancer.PrivateNet {
		if member.Network.ID == network.ID {
			return true
		}
	}
	return false
}
