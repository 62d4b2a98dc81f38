package main

import (
	"net"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2h0mJ1m0Y1m9m3bJ4ZgqTn3t0pV9zY3nq0Y6wGqk1t peer"

func sshKeys(b *bed) {
	key := one(b.SSHKey.Create(b, hcloud.SSHKeyCreateOpts{Name: "mine", PublicKey: publicKey}))
	_, _, err := b.SSHKey.Create(b, hcloud.SSHKeyCreateOpts{Name: "other", PublicKey: publicKey})
	refuses(hcloud.ErrorCodeUniquenessError, err, "SSH key with the same fingerprint already exists")
	same := one(b.SSHKey.GetByFingerprint(b, key.Fingerprint))
	check(same.ID == key.ID, "another key")
	key = one(b.SSHKey.Update(b, key, hcloud.SSHKeyUpdateOpts{Name: "new", Labels: map[string]string{"a": "b"}}))
	check(key.Name == "new" && key.Labels["a"] == "b", "not updated: %+v", key)
	_, err = b.SSHKey.Delete(b, key)
	ok(err)
	_, err = b.SSHKey.Delete(b, key)
	refuses(hcloud.ErrorCodeNotFound, err)
}

func servers(b *bed) {
	network := b.newNetwork()
	server := b.newServer("one", func(opts *hcloud.ServerCreateOpts) {
		opts.StartAfterCreate = hcloud.Ptr(false)
		opts.Labels = map[string]string{"cluster": "demo"}
		opts.PublicNet = &hcloud.ServerCreatePublicNet{EnableIPv4: true, EnableIPv6: false}
	})
	check(server.Status == hcloud.ServerStatusOff, "status %s", server.Status)
	check(server.PublicNet.IPv6.IsUnspecified(), "has an IPv6")
	check(server.Location.Name == "fsn1", "location %s", server.Location.Name)
	b.acted(b.Server.AttachToNetwork(b, server, hcloud.ServerAttachToNetworkOpts{
		Network: network, IP: net.ParseIP("10.0.1.11"),
	}))
	_, _, err := b.Server.AttachToNetwork(b, server, hcloud.ServerAttachToNetworkOpts{Network: network})
	refuses(hcloud.ErrorCodeServerAlreadyAttached, err)
	b.acted(b.Server.Poweron(b, server))
	server = one(b.Server.GetByID(b, server.ID))
	check(server.Status == hcloud.ServerStatusRunning, "status %s", server.Status)
	check(server.PrivateNet[0].IP.String() == "10.0.1.11", "private %s", server.PrivateNet[0].IP)
	members, err := b.Network.AllMembers(b, network)
	ok(err)
	check(len(members) == 1 && members[0].IP.String() == "10.0.1.11", "members %+v", members)
	_, _, err = b.Server.Create(b, hcloud.ServerCreateOpts{
		Name: "one", ServerType: server.ServerType, Image: &hcloud.Image{Name: "debian-13"},
	})
	refuses(hcloud.ErrorCodeUniquenessError, err)
	_, _, err = b.Server.Create(b, hcloud.ServerCreateOpts{
		Name: "old", ServerType: &hcloud.ServerType{Name: "cpx21"}, Image: &hcloud.Image{Name: "debian-13"},
		Location: &hcloud.Location{Name: "hel1"},
	})
	refuses(hcloud.ErrorCodeInvalidInput, err, "unsupported location for server type")
	found, _, err := b.Server.List(b, hcloud.ServerListOpts{
		ListOpts: hcloud.ListOpts{LabelSelector: "cluster in (demo,other),!role"},
		Status:   []hcloud.ServerStatus{hcloud.ServerStatusRunning},
		Sort:     []string{"name:asc"},
	})
	ok(err)
	check(len(found) == 1, "found %d", len(found))
	b.acted(b.Server.ChangeProtection(b, server, hcloud.ServerChangeProtectionOpts{
		Delete: hcloud.Ptr(true), Rebuild: hcloud.Ptr(true),
	}))
	_, _, err = b.Server.DeleteWithResult(b, server)
	refuses(hcloud.ErrorCodeProtected, err)
	b.acted(b.Server.ChangeProtection(b, server, hcloud.ServerChangeProtectionOpts{
		Delete: hcloud.Ptr(false), Rebuild: hcloud.Ptr(false),
	}))
	b.acted(b.Server.Shutdown(b, server))
	b.acted(b.Server.Poweroff(b, server))
	b.acted(b.Server.ChangeType(b, server, hcloud.ServerChangeTypeOpts{
		ServerType: &hcloud.ServerType{Name: "cx33"}, UpgradeDisk: false,
	}))
	b.wait(one(b.Server.DeleteWithResult(b, server)).Action)
	gone := one(b.Server.GetByID(b, server.ID))
	check(gone == nil, "still there")
}

// rescue is the way to a snapshot: created off, rescue armed, switched on, switched off, imaged.
func rescue(b *bed) {
	key := one(b.SSHKey.Create(b, hcloud.SSHKeyCreateOpts{Name: "mine", PublicKey: publicKey}))
	server := b.newServer("builder", func(opts *hcloud.ServerCreateOpts) {
		opts.StartAfterCreate = hcloud.Ptr(false)
		opts.SSHKeys = []*hcloud.SSHKey{key}
	})
	armed := one(b.Server.EnableRescue(b, server, hcloud.ServerEnableRescueOpts{
		Type: hcloud.ServerRescueTypeLinux64, SSHKeys: []*hcloud.SSHKey{key},
	}))
	b.wait(armed.Action)
	server = one(b.Server.GetByID(b, server.ID))
	check(server.RescueEnabled, "rescue is not armed")
	b.acted(b.Server.Poweron(b, server))
	server = one(b.Server.GetByID(b, server.ID))
	check(!server.RescueEnabled, "rescue is armed still")
	b.acted(b.Server.Poweroff(b, server))
	made := one(b.Server.CreateImage(b, server, &hcloud.ServerCreateImageOpts{
		Type: hcloud.ImageTypeSnapshot, Labels: map[string]string{"os": "talos"},
	}))
	check(made.Image.Status == hcloud.ImageStatusCreating, "status %s", made.Image.Status)
	b.wait(made.Action)
	images, err := b.Image.AllWithOpts(b, hcloud.ImageListOpts{
		ListOpts:     hcloud.ListOpts{LabelSelector: "os=talos"},
		Type:         []hcloud.ImageType{hcloud.ImageTypeSnapshot},
		Status:       []hcloud.ImageStatus{hcloud.ImageStatusAvailable},
		Architecture: []hcloud.Architecture{hcloud.ArchitectureX86},
	})
	ok(err)
	check(len(images) == 1 && images[0].CreatedFrom.ID == server.ID, "images %+v", images)
	_, err = b.Image.Delete(b, images[0])
	ok(err)
}

func placementGroups(b *bed) {
	group := one(b.PlacementGroup.Create(b, hcloud.PlacementGroupCreateOpts{
		Name: "pg", Type: hcloud.PlacementGroupTypeSpread, Labels: map[string]string{"cluster": "demo"},
	})).PlacementGroup
	server := b.newServer("member", func(opts *hcloud.ServerCreateOpts) { opts.PlacementGroup = group })
	check(server.PlacementGroup.ID == group.ID, "not in the group")
	_, _, err := b.Server.AddToPlacementGroup(b, server, group)
	refuses("already_in_placement_group", err)
	b.acted(b.Server.Poweroff(b, server))
	b.acted(b.Server.RemoveFromPlacementGroup(b, server))
	b.acted(b.Server.AddToPlacementGroup(b, server, group))
	group = one(b.PlacementGroup.GetByName(b, "pg"))
	check(len(group.Servers) == 1, "servers %v", group.Servers)
	group = one(b.PlacementGroup.Update(b, group, hcloud.PlacementGroupUpdateOpts{Name: "new"}))
	check(group.Name == "new", "name %s", group.Name)
	b.wait(one(b.Server.DeleteWithResult(b, server)).Action)
	_, err = b.PlacementGroup.Delete(b, group)
	ok(err)
}
