package main

import (
	"net"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
)

func cidr(text string) *net.IPNet {
	_, network, err := net.ParseCIDR(text)
	ok(err)
	return network
}

func (b *bed) newNetwork() *hcloud.Network {
	network := one(b.Network.Create(b, hcloud.NetworkCreateOpts{
		Name: "net", IPRange: cidr("10.0.0.0/16"), Labels: map[string]string{"cluster": "demo"},
	}))
	b.acted(b.Network.AddSubnet(b, network, hcloud.NetworkAddSubnetOpts{Subnet: hcloud.NetworkSubnet{
		Type: hcloud.NetworkSubnetTypeCloud, IPRange: cidr("10.0.1.0/24"), NetworkZone: hcloud.NetworkZoneEUCentral,
	}}))
	return one(b.Network.GetByID(b, network.ID))
}

func networks(b *bed) {
	network := b.newNetwork()
	check(network.Subnets[0].Gateway.String() == "10.0.0.1", "gateway %s", network.Subnets[0].Gateway)
	_, _, err := b.Network.AddSubnet(b, network, hcloud.NetworkAddSubnetOpts{Subnet: hcloud.NetworkSubnet{
		Type: hcloud.NetworkSubnetTypeCloud, IPRange: cidr("10.0.1.128/25"), NetworkZone: hcloud.NetworkZoneEUCentral,
	}})
	refuses(hcloud.ErrorCodeInvalidInput, err)
	_, _, err = b.Network.Create(b, hcloud.NetworkCreateOpts{Name: "net", IPRange: cidr("10.0.0.0/16")})
	refuses(hcloud.ErrorCodeUniquenessError, err, "name is already used")
	route := hcloud.NetworkRoute{Destination: cidr("10.200.0.0/16"), Gateway: net.ParseIP("10.0.1.2")}
	b.acted(b.Network.AddRoute(b, network, hcloud.NetworkAddRouteOpts{Route: route}))
	b.acted(b.Network.DeleteRoute(b, network, hcloud.NetworkDeleteRouteOpts{Route: route}))
	b.acted(b.Network.ChangeIPRange(b, network, hcloud.NetworkChangeIPRangeOpts{IPRange: cidr("10.0.0.0/12")}))
	b.acted(b.Network.ChangeProtection(b, network, hcloud.NetworkChangeProtectionOpts{Delete: hcloud.Ptr(true)}))
	_, err = b.Network.Delete(b, network)
	refuses(hcloud.ErrorCodeProtected, err, "network is delete protected")
	b.acted(b.Network.ChangeProtection(b, network, hcloud.NetworkChangeProtectionOpts{Delete: hcloud.Ptr(false)}))
	b.acted(b.Network.DeleteSubnet(b, network, hcloud.NetworkDeleteSubnetOpts{Subnet: network.Subnets[0]}))
	network = one(b.Network.Update(b, network, hcloud.NetworkUpdateOpts{Name: "new"}))
	check(network.Name == "new", "name %s", network.Name)
	_, err = b.Network.Delete(b, network)
	ok(err)
}

func firewalls(b *bed) {
	rules := []hcloud.FirewallRule{{
		Direction: hcloud.FirewallRuleDirectionIn, Protocol: hcloud.FirewallRuleProtocolTCP,
		Port: hcloud.Ptr("6443"), SourceIPs: []net.IPNet{*cidr("203.0.113.0/24")}, Description: hcloud.Ptr("api"),
	}, {
		Direction: hcloud.FirewallRuleDirectionOut, Protocol: hcloud.FirewallRuleProtocolICMP,
		DestinationIPs: []net.IPNet{*cidr("::/0")},
	}}
	server := b.newServer("web", func(opts *hcloud.ServerCreateOpts) { opts.Labels = map[string]string{"role": "web"} })
	direct := hcloud.FirewallResource{
		Type: hcloud.FirewallResourceTypeServer, Server: &hcloud.FirewallResourceServer{ID: server.ID},
	}
	selector := hcloud.FirewallResource{
		Type:          hcloud.FirewallResourceTypeLabelSelector,
		LabelSelector: &hcloud.FirewallResourceLabelSelector{Selector: "role==web"},
	}
	created := one(b.Firewall.Create(b, hcloud.FirewallCreateOpts{
		Name: "fw", Rules: rules, ApplyTo: []hcloud.FirewallResource{selector},
	}))
	b.wait(created.Actions...)
	check(len(created.Actions) == 2, "%d actions", len(created.Actions))
	firewall := one(b.Firewall.GetByID(b, created.Firewall.ID))
	check(len(firewall.Rules) == 2 && *firewall.Rules[0].Port == "6443", "rules %+v", firewall.Rules)
	check(firewall.AppliedTo[0].AppliedToResources[0].Server.ID == server.ID, "not applied")
	_, _, err := b.Firewall.RemoveResources(b, firewall, []hcloud.FirewallResource{direct})
	refuses(hcloud.ErrorCodeFirewallManagedByLabelSelector, err)
	b.wait(one(b.Firewall.ApplyResources(b, firewall, []hcloud.FirewallResource{direct}))...)
	_, _, err = b.Firewall.ApplyResources(b, firewall, []hcloud.FirewallResource{direct})
	refuses(hcloud.ErrorCodeFirewallAlreadyApplied, err)
	_, err = b.Firewall.Delete(b, firewall)
	refuses(hcloud.ErrorCodeResourceInUse, err, "is still in use")
	b.wait(one(b.Firewall.SetRules(b, firewall, hcloud.FirewallSetRulesOpts{Rules: rules[:1]}))...)
	b.wait(one(b.Firewall.RemoveResources(b, firewall, []hcloud.FirewallResource{direct, selector}))...)
	firewall = one(b.Firewall.Update(b, firewall, hcloud.FirewallUpdateOpts{Name: "new"}))
	check(firewall.Name == "new", "name %s", firewall.Name)
	_, err = b.Firewall.Delete(b, firewall)
	ok(err)
}
