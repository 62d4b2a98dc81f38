package main

import (
	"net"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
)

func loadBalancers(b *bed) {
	network := b.newNetwork()
	server := b.newServer("target", func(opts *hcloud.ServerCreateOpts) {
		opts.Labels = map[string]string{"role": "control-plane"}
		opts.Networks = []*hcloud.Network{network}
	})
	created := one(b.LoadBalancer.Create(b, hcloud.LoadBalancerCreateOpts{
		Name: "lb", LoadBalancerType: &hcloud.LoadBalancerType{Name: "lb11"},
		Location: &hcloud.Location{Name: "fsn1"}, Labels: map[string]string{"cluster": "demo"},
	}))
	b.wait(created.Action)
	balancer := created.LoadBalancer
	private := hcloud.LoadBalancerAddLabelSelectorTargetOpts{
		Selector: "role=control-plane", UsePrivateIP: hcloud.Ptr(true),
	}
	_, _, err := b.LoadBalancer.AddLabelSelectorTarget(b, balancer, private)
	refuses(hcloud.ErrorCodeLoadBalancerNotAttachedToNetwork, err)
	b.acted(b.LoadBalancer.AttachToNetwork(b, balancer, hcloud.LoadBalancerAttachToNetworkOpts{
		Network: network, IP: net.ParseIP("10.0.1.254"),
	}))
	b.acted(b.LoadBalancer.AddLabelSelectorTarget(b, balancer, private))
	_, _, err = b.LoadBalancer.AddLabelSelectorTarget(b, balancer, private)
	refuses(hcloud.ErrorCodeTargetAlreadyDefined, err)
	b.acted(b.LoadBalancer.AddService(b, balancer, hcloud.LoadBalancerAddServiceOpts{
		Protocol: hcloud.LoadBalancerServiceProtocolTCP, ListenPort: hcloud.Ptr(6443), DestinationPort: hcloud.Ptr(6443),
		HealthCheck: &hcloud.LoadBalancerAddServiceOptsHealthCheck{
			Protocol: hcloud.LoadBalancerServiceProtocolHTTP, Port: hcloud.Ptr(6443),
			Interval: hcloud.Ptr(3 * time.Second), Timeout: hcloud.Ptr(2 * time.Second), Retries: hcloud.Ptr(2),
			HTTP: &hcloud.LoadBalancerAddServiceOptsHealthCheckHTTP{
				Path: hcloud.Ptr("/version"), StatusCodes: []string{"401"}, TLS: hcloud.Ptr(true),
			},
		},
	}))
	b.acted(b.LoadBalancer.UpdateService(b, balancer, 6443, hcloud.LoadBalancerUpdateServiceOpts{
		Proxyprotocol: hcloud.Ptr(true),
	}))
	balancer = one(b.LoadBalancer.GetByID(b, balancer.ID))
	check(balancer.PrivateNet[0].IP.String() == "10.0.1.254", "private %s", balancer.PrivateNet[0].IP)
	check(balancer.Services[0].Proxyprotocol && balancer.Services[0].HealthCheck.HTTP.TLS, "service %+v", balancer.Services[0])
	check(balancer.Targets[0].Targets[0].Server.Server.ID == server.ID, "targets %+v", balancer.Targets[0])
	b.acted(b.LoadBalancer.DisablePublicInterface(b, balancer))
	_, _, err = b.LoadBalancer.AddServerTarget(b, balancer, hcloud.LoadBalancerAddServerTargetOpts{Server: server})
	refuses("load_balancer_public_interface_disabled", err)
	b.acted(b.LoadBalancer.EnablePublicInterface(b, balancer))
	b.acted(b.LoadBalancer.AddServerTarget(b, balancer, hcloud.LoadBalancerAddServerTargetOpts{Server: server}))
	_, _, err = b.LoadBalancer.DisablePublicInterface(b, balancer)
	refuses(hcloud.ErrorCodeTargetsWithoutUsePrivateIP, err)
	b.acted(b.LoadBalancer.RemoveServerTarget(b, balancer, server))
	b.acted(b.LoadBalancer.ChangeAlgorithm(b, balancer, hcloud.LoadBalancerChangeAlgorithmOpts{
		Type: hcloud.LoadBalancerAlgorithmTypeLeastConnections,
	}))
	b.acted(b.LoadBalancer.DeleteService(b, balancer, 6443))
	b.acted(b.LoadBalancer.RemoveLabelSelectorTarget(b, balancer, "role=control-plane"))
	b.acted(b.LoadBalancer.DetachFromNetwork(b, balancer, hcloud.LoadBalancerDetachFromNetworkOpts{Network: network}))
	deleted := one(b.LoadBalancer.DeleteWithResult(b, balancer))
	b.wait(deleted.Action)
	gone := one(b.LoadBalancer.GetByID(b, balancer.ID))
	check(gone == nil, "still there")
}

func addresses(b *bed) {
	primary := one(b.PrimaryIP.Create(b, hcloud.PrimaryIPCreateOpts{
		Name: "ip", Type: hcloud.PrimaryIPTypeIPv4, Location: "fsn1",
	})).PrimaryIP
	check(primary.AssigneeType == "unassigned", "assignee type %s", primary.AssigneeType)
	server := b.newServer("owner", func(opts *hcloud.ServerCreateOpts) {
		opts.StartAfterCreate = hcloud.Ptr(false)
		opts.PublicNet = &hcloud.ServerCreatePublicNet{EnableIPv4: true, EnableIPv6: true, IPv4: primary}
	})
	check(server.PublicNet.IPv4.ID == primary.ID, "another address")
	_, err := b.PrimaryIP.Delete(b, primary)
	refuses("must_be_unassigned", err)
	b.acted(b.PrimaryIP.Unassign(b, primary.ID))
	_, err = b.PrimaryIP.Delete(b, primary)
	ok(err)
	floating := one(b.FloatingIP.Create(b, hcloud.FloatingIPCreateOpts{
		Type: hcloud.FloatingIPTypeIPv4, Server: server, Name: hcloud.Ptr("fip"),
	})).FloatingIP
	_, err = b.FloatingIP.Delete(b, floating)
	refuses("must_be_unassigned", err)
	b.acted(b.FloatingIP.Unassign(b, floating))
	_, err = b.FloatingIP.Delete(b, floating)
	ok(err)
}

func volumes(b *bed) {
	server := b.newServer("disked", nil)
	created := one(b.Volume.Create(b, hcloud.VolumeCreateOpts{
		Name: "vol", Size: 10, Server: server, Format: hcloud.Ptr("ext4"), Labels: map[string]string{"a": "b"},
	}))
	b.wait(append(created.NextActions, created.Action)...)
	volume := one(b.Volume.GetByID(b, created.Volume.ID))
	check(volume.Server.ID == server.ID, "not attached")
	_, err := b.Volume.Delete(b, volume)
	check(err != nil, "an attached volume was deleted")
	b.acted(b.Volume.Resize(b, volume, 20))
	b.acted(b.Volume.Detach(b, volume))
	b.acted(b.Volume.Attach(b, volume, server))
	b.wait(one(b.Server.DeleteWithResult(b, server)).Action)
	_, err = b.Volume.Delete(b, volume)
	ok(err)
}
