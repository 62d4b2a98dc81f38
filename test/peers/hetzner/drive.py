"""Drives the simulated Hetzner API with Hetzner's own Python client: `drive.py <scenario>`.

HCLOUD_ENDPOINT and HCLOUD_TOKEN say where and as whom; HCLOUD_READONLY_TOKEN is the weaker token.
A scenario ends the process with an error as soon as something is not as documented.
"""

import os
import subprocess
import sys
import tempfile
import warnings

from hcloud import APIException, Client
from hcloud.actions import ActionFailedException
from hcloud.certificates import Certificate
from hcloud.firewalls import FirewallResource, FirewallResourceLabelSelector, FirewallRule
from hcloud.images import Image
from hcloud.load_balancer_types import LoadBalancerType
from hcloud.load_balancers import (
    LoadBalancerAlgorithm,
    LoadBalancerCreatePublicNetwork,
    LoadBalancerHealthCheck,
    LoadBalancerHealthCheckHttp,
    LoadBalancerService,
    LoadBalancerTarget,
    LoadBalancerTargetLabelSelector,
)
from hcloud.locations import Location
from hcloud.networks import NetworkRoute, NetworkSubnet
from hcloud.server_types import ServerType
from hcloud.servers import ServerCreatePublicNetwork


# The client warns that /datacenters is gone, which is what the catalogue scenario is about.
warnings.simplefilter("ignore", DeprecationWarning)


def connect(token_name="HCLOUD_TOKEN"):
    return Client(
        token=os.environ[token_name],
        api_endpoint=os.environ["HCLOUD_ENDPOINT"],
        poll_interval=0.01,
    )


client = connect()
LOCATION = Location(name="fsn1")


def refuses(code, call, status_text=None):
    try:
        call()
    except APIException as error:
        assert error.code == code, f"expected {code}, got {error.code}: {error.message}"
        assert error.correlation_id and len(error.correlation_id) == 32
        if status_text is not None:
            assert status_text in error.message, error.message
        return error
    raise AssertionError(f"expected {code}, but it was accepted")


def new_server(name, **options):
    options.setdefault("server_type", ServerType(name="cx23"))
    options.setdefault("image", Image(name="debian-13"))
    options.setdefault("location", LOCATION)
    created = client.servers.create(name=name, **options)
    created.action.wait_until_finished()
    for action in created.next_actions:
        action.wait_until_finished()
    created.server.reload()
    return created.server


def new_network(name="net", zone="eu-central"):
    network = client.networks.create(
        name=name,
        ip_range="10.0.0.0/16",
        subnets=[NetworkSubnet(type="cloud", network_zone=zone, ip_range="10.0.1.0/24")],
    )
    return network


def catalogue():
    names = [location.name for location in client.locations.get_all()]
    assert names == ["fsn1", "nbg1", "hel1", "ash", "hil", "sin"], names
    assert client.locations.get_by_id(1).name == "fsn1"
    types = {server_type.name: server_type for server_type in client.server_types.get_all()}
    assert types["cax11"].architecture == "arm"
    cpx21 = {entry.location.name: entry for entry in types["cpx21"].locations}
    assert cpx21["hel1"].deprecation is not None and cpx21["ash"].deprecation is None
    assert client.server_types.get_by_name("cx23").disk == 40
    assert client.load_balancer_types.get_by_name("lb11").max_targets == 25
    assert client.images.get_by_name_and_architecture("debian-13", "arm").architecture == "arm"
    refuses("not_found", lambda: client.server_types.get_by_id(999999))
    gone = refuses("deprecated_api_endpoint", client.datacenters.get_all)
    assert "announcement" in gone.details


def access():
    wrong = Client(token="wrong", api_endpoint=os.environ["HCLOUD_ENDPOINT"])
    refuses("unauthorized", wrong.servers.get_all)
    reader = connect("HCLOUD_READONLY_TOKEN")
    assert reader.servers.get_all() == []
    refuses("forbidden", lambda: reader.placement_groups.create(name="x", type="spread"))


def ssh_keys():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "key")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        with open(path + ".pub", encoding="utf8") as file:
            public_key = file.read()
        listed = subprocess.run(
            ["ssh-keygen", "-l", "-E", "md5", "-f", path], check=True, capture_output=True, text=True
        ).stdout
    key = client.ssh_keys.create(name="mine", public_key=public_key, labels={"a": "b"})
    assert "MD5:" + key.fingerprint in listed, (key.fingerprint, listed)
    assert client.ssh_keys.get_by_fingerprint(key.fingerprint).id == key.id
    refuses("uniqueness_error", lambda: client.ssh_keys.create(name="other", public_key=public_key))
    refuses("invalid_input", lambda: client.ssh_keys.create(name="bad", public_key="ssh-ed25519 AAAA"))
    assert key.update(name="renamed", labels={}).labels == {}
    assert [k.name for k in client.ssh_keys.get_all(label_selector="a")] == []
    key.delete()
    refuses("not_found", lambda: client.ssh_keys.get_by_id(key.id))


def networks():
    network = client.networks.create(
        name="net",
        ip_range="10.0.0.0/16",
        labels={"cluster": "demo"},
        routes=[NetworkRoute(destination="10.100.0.0/16", gateway="10.0.1.9")],
    )
    network.add_subnet(
        NetworkSubnet(type="cloud", network_zone="eu-central", ip_range="10.0.16.0/24")
    ).wait_until_finished()
    network.reload()
    assert network.subnets[0].gateway == "10.0.0.1", network.subnets[0].gateway
    refuses(
        "invalid_input",
        lambda: network.add_subnet(
            NetworkSubnet(type="cloud", network_zone="eu-central", ip_range="10.0.16.128/25")
        ),
    )
    refuses(
        "service_error",
        lambda: network.add_subnet(
            NetworkSubnet(type="vswitch", network_zone="eu-central", ip_range="10.0.17.0/24", vswitch_id=1)
        ),
        "vswitch not found",
    )
    refuses("uniqueness_error", lambda: client.networks.create(name="net", ip_range="10.0.0.0/16"))
    refuses("invalid_input", lambda: client.networks.create(name="small", ip_range="10.0.0.0/28"))
    network.add_route(NetworkRoute(destination="10.101.0.0/16", gateway="10.0.16.9")).wait_until_finished()
    network.delete_route(NetworkRoute(destination="10.101.0.0/16", gateway="10.0.16.9")).wait_until_finished()
    network.change_ip_range("10.0.0.0/12").wait_until_finished()
    refuses("invalid_input", lambda: network.change_ip_range("10.0.0.0/16"))
    server = new_server("member", networks=[network], start_after_create=False)
    assert server.private_net[0].ip == "10.0.16.1", server.private_net[0].ip
    members = network.get_member_all()
    assert [(m.type, m.ip, m.status) for m in members] == [("server", "10.0.16.1", "ok")], members
    refuses("service_error", lambda: network.delete_subnet(network.subnets[0]), "servers are attached")
    network.change_protection(delete=True).wait_until_finished()
    refuses("protected", network.delete, "network is delete protected")
    network.change_protection(delete=False).wait_until_finished()
    assert network.update(name="renamed").name == "renamed"
    assert len(network.get_actions()) >= 5
    network.delete()
    server.reload()
    assert server.private_net == []


def firewalls():
    created = client.firewalls.create(
        name="fw",
        labels={"cluster": "demo"},
        rules=[
            FirewallRule(
                direction="in", protocol="tcp", port="80", source_ips=["0.0.0.0/0", "2001:DB8:0::/32"]
            )
        ],
        resources=[
            FirewallResource(
                type="label_selector",
                label_selector=FirewallResourceLabelSelector(selector="role=worker"),
            )
        ],
    )
    firewall = created.firewall
    assert [action.command for action in created.actions] == ["set_firewall_rules"]
    assert firewall.rules[0].source_ips[1] == "2001:db8::/32", firewall.rules[0].source_ips
    server = new_server("web", labels={"role": "worker"})
    firewall.reload()
    assert firewall.applied_to[0].applied_to_resources[0].server.id == server.id
    assert [f.firewall.id for f in server.public_net.firewalls] == [firewall.id]
    resource = FirewallResource(type="server", server=server)
    refuses(
        "firewall_managed_by_label_selector", lambda: firewall.remove_from_resources([resource])
    )
    for action in firewall.apply_to_resources([resource]):
        action.wait_until_finished()
    refuses("firewall_already_applied", lambda: firewall.apply_to_resources([resource]))
    refuses("resource_in_use", firewall.delete, f"firewall with ID {firewall.id} is still in use")
    refuses(
        "invalid_input",
        lambda: firewall.set_rules(
            [FirewallRule(direction="in", protocol="tcp", port="80", source_ips=["10.1.2.3/8"])]
        ),
    )
    for action in firewall.set_rules([]):
        action.wait_until_finished()
    selector = FirewallResource(
        type="label_selector", label_selector=FirewallResourceLabelSelector(selector="role=worker")
    )
    for action in firewall.remove_from_resources([resource, selector]):
        action.wait_until_finished()
    assert firewall.update(name="renamed").name == "renamed"
    firewall.delete()


def placement_groups():
    group = client.placement_groups.create(name="pg", type="spread").placement_group
    servers = [
        new_server(f"s{number}", placement_group=group, start_after_create=False)
        for number in range(10)
    ]
    refuses(
        "placement_group_member_limit_reached",
        lambda: new_server("s10", placement_group=group),
        f"placement group with ID {group.id} contains already 10 servers",
    )
    refuses("already_in_placement_group", lambda: servers[0].add_to_placement_group(group))
    servers[0].remove_from_placement_group().wait_until_finished()
    servers[0].power_on().wait_until_finished()
    refuses("server_not_stopped", lambda: servers[0].add_to_placement_group(group))
    servers[0].power_off().wait_until_finished()
    servers[0].add_to_placement_group(group).wait_until_finished()
    group.reload()
    assert len(group.servers) == 10
    refuses("uniqueness_error", lambda: client.placement_groups.create(name="pg", type="spread"))
    for server in servers:
        server.delete().wait_until_finished()
    assert group.update(labels={"a": "b"}).labels == {"a": "b"}
    group.delete()


def servers():
    created = client.servers.create(
        name="one",
        server_type=ServerType(name="cx23"),
        image=Image(name="debian-13"),
        location=LOCATION,
        start_after_create=False,
        labels={"cluster": "demo"},
        user_data="#cloud-config",
    )
    assert created.server.status == "initializing" and created.next_actions == []
    assert len(created.root_password) == 20
    created.action.wait_until_finished()
    server = created.server
    server.reload()
    assert server.status == "off" and server.location.name == "fsn1" and not server.locked
    server.power_on().wait_until_finished()
    server.reload()
    assert server.status == "running"
    refuses("uniqueness_error", lambda: new_server("one"))
    refuses("invalid_input", lambda: new_server("Not_A_Host"))
    refuses("invalid_input", lambda: new_server("big", user_data="x" * 32769))
    refuses(
        "invalid_input",
        lambda: new_server("retired", server_type=ServerType(name="cpx21"), location=Location(name="hel1")),
        "unsupported location for server type",
    )
    refuses("invalid_input", lambda: new_server("unknown", server_type=ServerType(name="cx1")), "server_type")
    refuses(
        "invalid_input",
        lambda: new_server(
            "alone",
            public_net=ServerCreatePublicNetwork(enable_ipv4=False, enable_ipv6=False),
        ),
    )
    for action in (server.reset, server.reboot):
        action().wait_until_finished()
    assert server.reset_password().root_password
    assert server.request_console().wss_url.startswith("wss://")
    server.enable_backup().wait_until_finished()
    server.disable_backup().wait_until_finished()
    server.change_dns_ptr(server.public_net.ipv4.ip, "a.example.com").wait_until_finished()
    refuses(
        "server_not_stopped", lambda: server.change_type(ServerType(name="cx33"), upgrade_disk=True)
    )
    server.power_off().wait_until_finished()
    refuses(
        "invalid_server_type", lambda: server.change_type(ServerType(name="cax11"), upgrade_disk=True)
    )
    server.change_type(ServerType(name="cx33"), upgrade_disk=True).wait_until_finished()
    server.reload()
    assert server.primary_disk_size == 80 and server.server_type.name == "cx33"
    assert server.enable_rescue(type="linux64").root_password
    server.reload()
    assert server.rescue_enabled
    server.disable_rescue().wait_until_finished()
    server.rebuild(Image(name="ubuntu-24.04")).action.wait_until_finished()
    network = new_network()
    server.attach_to_network(network, ip="10.0.1.7", alias_ips=["10.0.1.8"]).wait_until_finished()
    refuses("server_already_attached", lambda: server.attach_to_network(network))
    server.change_alias_ips(network, ["10.0.1.9"]).wait_until_finished()
    other = new_server("two", start_after_create=False)
    refuses("ip_not_available", lambda: other.attach_to_network(network, ip="10.0.1.7"))
    server.detach_from_network(network).wait_until_finished()
    american = new_server("three", server_type=ServerType(name="ccx13"), location=Location(name="ash"))
    refuses("no_subnet_available", lambda: american.attach_to_network(network))
    refuses("invalid_input", lambda: server.change_protection(delete=True))
    server.change_protection(delete=True, rebuild=True).wait_until_finished()
    refuses("protected", server.delete, "server deletion is protected")
    refuses("protected", lambda: server.rebuild(Image(name="debian-13")))
    server.change_protection(delete=False, rebuild=False).wait_until_finished()
    assert server.update(name="renamed", labels={"x": "y"}).name == "renamed"
    assert [s.name for s in client.servers.get_all(label_selector="x==y")] == ["renamed"]
    assert [s.name for s in client.servers.get_list(label_selector="x!=y").servers] == ["two", "three"]
    refuses("invalid_input", lambda: client.servers.get_all(label_selector="x=="+"y"*99))
    assert len(server.get_actions(sort=["id:desc"])) > 10
    server.shutdown().wait_until_finished()
    server.delete().wait_until_finished()
    refuses("not_found", lambda: client.servers.get_by_id(server.id))


def images():
    server = new_server("base")
    made = server.create_image(description="mine", labels={"os": "talos"}, type="snapshot")
    assert made.image.status == "creating" and made.image.name is None
    made.action.wait_until_finished()
    image = client.images.get_all(type=["snapshot"], label_selector="os=talos", architecture=["x86"])[0]
    assert image.status == "available" and image.image_size > 0 and image.disk_size == 40
    assert image.created_from.id == server.id
    refuses(
        "invalid_input",
        lambda: new_server("wrong", image=image, server_type=ServerType(name="cax11")),
        "architecture",
    )
    assert image.update(description="other", labels={}).description == "other"
    image.change_protection(delete=True).wait_until_finished()
    refuses("protected", image.delete, "snapshot deletion is protected")
    image.change_protection(delete=False).wait_until_finished()
    copy = new_server("copy", image=image)
    assert copy.image.id == image.id
    image.delete()
    system = client.images.get_by_name_and_architecture("debian-13", "x86")
    refuses("forbidden", system.delete)


def load_balancers():
    network = new_network()
    server = new_server("target", networks=[network], labels={"role": "control-plane"})
    created = client.load_balancers.create(
        name="lb",
        load_balancer_type=LoadBalancerType(name="lb11"),
        location=LOCATION,
        algorithm=LoadBalancerAlgorithm(type="round_robin"),
    )
    created.action.wait_until_finished()
    balancer = created.load_balancer
    target = LoadBalancerTarget(
        type="label_selector",
        label_selector=LoadBalancerTargetLabelSelector(selector="role=control-plane"),
        use_private_ip=True,
    )
    refuses("load_balancer_not_attached_to_network", lambda: balancer.add_target(target))
    balancer.attach_to_network(network, ip="10.0.1.250").wait_until_finished()
    refuses("load_balancer_already_attached", lambda: balancer.attach_to_network(network))
    balancer.add_target(target).wait_until_finished()
    refuses("target_already_defined", lambda: balancer.add_target(target))
    service = LoadBalancerService(
        protocol="tcp",
        listen_port=6443,
        destination_port=6443,
        proxyprotocol=False,
        health_check=LoadBalancerHealthCheck(
            protocol="http",
            port=6443,
            interval=3,
            timeout=2,
            retries=2,
            http=LoadBalancerHealthCheckHttp(
                domain="", path="/version", response="", status_codes=["401"], tls=True
            ),
        ),
    )
    balancer.add_service(service).wait_until_finished()
    refuses("source_port_already_used", lambda: balancer.add_service(service))
    service.destination_port = 6444
    balancer.update_service(service).wait_until_finished()
    balancer.reload()
    assert balancer.private_net[0].ip == "10.0.1.250"
    found = balancer.targets[0].targets
    assert [t.server.id for t in found] == [server.id]
    assert found[0].health_status[0].status in ("healthy", "unhealthy")
    assert balancer.services[0].health_check.http.status_codes == ["401"]
    assert balancer.services[0].destination_port == 6444
    balancer.disable_public_interface().wait_until_finished()
    refuses(
        "load_balancer_public_interface_disabled",
        lambda: balancer.add_target(LoadBalancerTarget(type="server", server=server, use_private_ip=False)),
        "cannot add target using public IP",
    )
    balancer.enable_public_interface().wait_until_finished()
    balancer.change_algorithm(LoadBalancerAlgorithm(type="least_connections")).wait_until_finished()
    balancer.change_type(LoadBalancerType(name="lb21")).wait_until_finished()
    balancer.change_dns_ptr(balancer.public_net.ipv4.ip, "lb.example.com").wait_until_finished()
    balancer.change_protection(delete=True).wait_until_finished()
    refuses("protected", balancer.delete)
    balancer.change_protection(delete=False).wait_until_finished()
    balancer.remove_target(target).wait_until_finished()
    balancer.delete_service(service).wait_until_finished()
    balancer.detach_from_network(network).wait_until_finished()
    assert balancer.update(name="renamed", labels={"a": ""}).labels == {"a": ""}
    balancer.delete()
    refuses("not_found", lambda: client.load_balancers.get_by_id(balancer.id))
    ip = client.primary_ips.create(name="lb-ip", type="ipv4", location=LOCATION).primary_ip
    own = client.load_balancers.create(
        name="own",
        load_balancer_type=LoadBalancerType(name="lb11"),
        location=LOCATION,
        public_net=LoadBalancerCreatePublicNetwork(ipv4=ip),
    ).load_balancer
    assert own.public_net.ipv4.ip == ip.ip
    assert client.primary_ips.get_by_id(ip.id).assignee_type == "load_balancer"
    own.delete()


def primary_ips():
    ip = client.primary_ips.create(name="ip", type="ipv4", location=LOCATION, auto_delete=False).primary_ip
    assert ip.assignee_type == "unassigned" and ip.location.name == "fsn1"
    server = new_server(
        "owner", public_net=ServerCreatePublicNetwork(ipv4=ip), start_after_create=False
    )
    assert server.public_net.ipv4.ip == ip.ip
    refuses("must_be_unassigned", ip.delete)
    refuses("primary_ip_already_assigned", lambda: ip.assign(assignee_id=server.id, assignee_type="server"))
    refuses(
        "primary_ip_assigned",
        lambda: new_server("thief", public_net=ServerCreatePublicNetwork(ipv4=ip)),
    )
    server.power_on().wait_until_finished()
    refuses("server_not_stopped", ip.unassign)
    server.power_off().wait_until_finished()
    ip.unassign().wait_until_finished()
    ip.assign(assignee_id=server.id, assignee_type="server").wait_until_finished()
    ip.change_dns_ptr(ip.ip, "a.example.com").wait_until_finished()
    ip.change_protection(delete=True).wait_until_finished()
    server.delete().wait_until_finished()
    refuses("protected", ip.delete)
    ip.change_protection(delete=False).wait_until_finished()
    assert ip.update(name="renamed", auto_delete=True).name == "renamed"
    ip.delete()
    assert [p for p in client.primary_ips.get_all() if p.name == "renamed"] == []


def floating_ips():
    refuses("invalid_input", lambda: client.floating_ips.create(type="ipv4"), "'server', 'home_location'")
    created = client.floating_ips.create(type="ipv4", name="fip", home_location=LOCATION, description="d")
    ip = created.floating_ip
    server = new_server("holder")
    ip.assign(server).wait_until_finished()
    refuses("floating_ip_assigned", lambda: ip.assign(server))
    refuses("must_be_unassigned", ip.delete)
    ip.unassign().wait_until_finished()
    ip.change_dns_ptr(ip.ip, "f.example.com").wait_until_finished()
    ip.change_protection(delete=True).wait_until_finished()
    refuses("protected", ip.delete, "Floating IP deletion is protected")
    ip.change_protection(delete=False).wait_until_finished()
    assert ip.update(description="e", name="renamed").description == "e"
    ip.delete()


def volumes():
    server = new_server("disked")
    created = client.volumes.create(name="vol", size=10, server=server, format="ext4", automount=False)
    created.action.wait_until_finished()
    for action in created.next_actions:
        action.wait_until_finished()
    volume = created.volume
    volume.reload()
    assert volume.server.id == server.id
    assert volume.linux_device == f"/dev/disk/by-id/scsi-0HC_Volume_{volume.id}"
    refuses("invalid_input", lambda: client.volumes.create(name="tiny", size=5, location=LOCATION))
    refuses("uniqueness_error", lambda: client.volumes.create(name="vol", size=10, location=LOCATION))
    volume.resize(20).wait_until_finished()
    refuses("invalid_input", lambda: volume.resize(10))
    refuses("resource_in_use", volume.delete)
    volume.detach().wait_until_finished()
    volume.attach(server).wait_until_finished()
    server.delete().wait_until_finished()
    volume.reload()
    assert volume.server is None and volume.size == 20
    volume.change_protection(delete=True).wait_until_finished()
    refuses("protected", volume.delete)
    volume.change_protection(delete=False).wait_until_finished()
    assert volume.update(name="renamed").name == "renamed"
    volume.delete()


def certificates():
    with tempfile.TemporaryDirectory() as folder:
        key, cert = os.path.join(folder, "key"), os.path.join(folder, "cert")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
            + ["-subj", "/CN=a.example.com", "-addext", "subjectAltName=DNS:a.example.com"]
            + ["-keyout", key, "-out", cert],
            check=True,
            capture_output=True,
        )
        with open(key, encoding="utf8") as file:
            private_key = file.read()
        with open(cert, encoding="utf8") as file:
            text = file.read()
    certificate = client.certificates.create(name="c", certificate=text, private_key=private_key)
    assert certificate.domain_names == ["a.example.com"] and certificate.type == Certificate.TYPE_UPLOADED
    refuses("invalid_input", lambda: client.certificates.create(name="d", certificate="x", private_key="y"))
    assert certificate.update(name="renamed").name == "renamed"
    certificate.delete()


def pages():
    for number in range(60):
        client.placement_groups.create(name=f"a{number:02}", type="spread") if number < 30 else (
            client.networks.create(name=f"n{number:02}", ip_range="10.0.0.0/16")
        )
    assert len(client.placement_groups.get_all()) == 30
    page = client.placement_groups.get_list(page=2, per_page=20)
    assert len(page.placement_groups) == 10
    assert page.meta.pagination.last_page == 2 and page.meta.pagination.total_entries == 30
    assert page.meta.pagination.next_page is None and page.meta.pagination.previous_page == 1
    names = [group.name for group in client.placement_groups.get_all(sort="name:desc")]
    assert names == sorted(names, reverse=True)


def action_failure():
    server = new_server("unlucky", start_after_create=False)
    try:
        server.power_on().wait_until_finished()
    except ActionFailedException as error:
        assert error.action.error["code"] == "server_error", error.action.error
        return
    raise AssertionError("the action did not fail")


def retries():
    assert client.locations.get_by_name("fsn1").id == 1


if __name__ == "__main__":
    globals()[sys.argv[1]]()
