package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	cloudprovider "k8s.io/cloud-provider"
)

const serverText = `{"id":42,"name":"demo-w-1","status":"off","location":{"name":"hel1"},"server_type":{"name":"cx23"},
"public_net":{"ipv4":{"ip":"203.0.113.7"},"ipv6":{"ip":"2001:db8::/64"}},
"private_net":[{"network":7,"ip":"10.0.0.3","alias_ips":[],"mac_address":"86:00:00:00:00:01"}]}`

// hetzner answers as much as the questions of these tests need, and remembers what it was told to do.
func hetzner(t *testing.T, routes string) (*cloud, *[]string) {
	t.Helper()
	var told []string
	done := `{"action":{"id":1,"status":"success","command":"x","progress":100,"resources":[]}}`
	answers := map[string]string{
		"GET /servers/42":                       `{"server":` + serverText + `}`,
		"GET /servers":                          `{"servers":[` + serverText + `]}`,
		"GET /networks/7":                       `{"network":{"id":7,"ip_range":"10.0.0.0/16","routes":` + routes + `}}`,
		"POST /networks/7/actions/add_route":    done,
		"POST /networks/7/actions/delete_route": done,
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, known := answers[r.Method+" "+r.URL.Path]
		w.Header().Set("content-type", "application/json")
		if !known {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"error":{"code":"not_found","message":"not found"}}`
		}
		if r.Method == http.MethodPost {
			var body map[string]string
			_ = json.NewDecoder(r.Body).Decode(&body)
			told = append(told, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]+" "+body["destination"]+" "+body["gateway"])
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(front.Close)
	client := hcloud.NewClient(hcloud.WithToken("token"), hcloud.WithEndpoint(front.URL))
	return &cloud{client: client, network: &hcloud.Network{ID: 7, Name: "demo"}, nodes: oneNode{}}, &told
}

func node(providerID string) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "demo-w-1"},
		Spec:       corev1.NodeSpec{ProviderID: providerID},
	}
}

func TestANodeIsFoundByItsProviderIDAndBeforeThatByItsName(t *testing.T) {
	it, _ := hetzner(t, "[]")
	for providerID, exists := range map[string]bool{"": true, "hcloud://42": true, "hcloud://43": false} {
		found, err := instances{it}.InstanceExists(context.Background(), node(providerID))
		if err != nil || found != exists {
			t.Errorf("%q: %v, %v", providerID, found, err)
		}
	}
	for _, foreign := range []string{"aws:///42", "hcloud://bm-42", "42"} {
		if found, err := (instances{it}).InstanceExists(context.Background(), node(foreign)); err == nil {
			t.Errorf("%s is taken for a server of Hetzner's: %v", foreign, found)
		}
	}
}

func TestANodeIsToldWhatHetznerKnows(t *testing.T) {
	it, _ := hetzner(t, "[]")
	known, err := instances{it}.InstanceMetadata(context.Background(), node(""))
	if err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, address := range known.NodeAddresses {
		addresses = append(addresses, string(address.Type)+" "+address.Address)
	}
	if got := strings.Join(addresses, ", "); got != "Hostname demo-w-1, ExternalIP 203.0.113.7, InternalIP 10.0.0.3" {
		t.Error(got)
	}
	if known.ProviderID != "hcloud://42" || known.InstanceType != "cx23" || known.Region != "hel1" || known.Zone != "hel1-dc2" {
		t.Errorf("%+v", known)
	}
	if off, err := (instances{it}).InstanceShutdown(context.Background(), node("hcloud://42")); err != nil || !off {
		t.Errorf("%v, %v", off, err)
	}
}

func TestARouteWhoseGatewayIsNoServersIsABlackHole(t *testing.T) {
	it, _ := hetzner(t, `[{"destination":"10.0.129.0/24","gateway":"10.0.0.3"},{"destination":"10.0.130.0/24","gateway":"10.0.0.9"}]`)
	found, err := routes{it}.ListRoutes(context.Background(), "")
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	if found[0].TargetNode != "demo-w-1" || found[0].Blackhole || !found[1].Blackhole {
		t.Errorf("%+v %+v", found[0], found[1])
	}
}

func TestARouteIsMadeOnceAndInPlaceOfOneByWayOfAnother(t *testing.T) {
	wanted := &cloudprovider.Route{
		DestinationCIDR:     "10.0.129.0/24",
		TargetNode:          "demo-w-1",
		TargetNodeAddresses: []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "10.0.0.3"}},
	}
	for present, want := range map[string]string{
		`[]`: "add_route 10.0.129.0/24 10.0.0.3",
		`[{"destination":"10.0.129.0/24","gateway":"10.0.0.3"}]`: "",
		`[{"destination":"10.0.129.0/24","gateway":"10.0.0.9"}]`: "delete_route 10.0.129.0/24 10.0.0.9, add_route 10.0.129.0/24 10.0.0.3",
	} {
		it, told := hetzner(t, present)
		if err := (routes{it}).CreateRoute(context.Background(), "", "", wanted); err != nil {
			t.Error(err)
		}
		if got := strings.Join(*told, ", "); got != want {
			t.Errorf("with %s: %q, not %q", present, got, want)
		}
	}
	it, told := hetzner(t, `[{"destination":"10.0.129.0/24","gateway":"10.0.0.3"}]`)
	if err := (routes{it}).DeleteRoute(context.Background(), "", wanted); err != nil || len(*told) != 1 {
		t.Error(*told, err)
	}
	early := *wanted
	early.TargetNodeAddresses = nil
	if err := (routes{it}).CreateRoute(context.Background(), "", "", &early); err == nil {
		t.Error("a route to a node whose address is not known yet")
	}
}

func TestSettingsOfLoadBalancersAreRead(t *testing.T) {
	variables := map[string]string{
		"HCLOUD_LOAD_BALANCERS_LOCATION":                "hel1",
		"HCLOUD_LOAD_BALANCERS_USE_PRIVATE_IP":          "true",
		"HCLOUD_LOAD_BALANCERS_DISABLE_PRIVATE_INGRESS": "true",
		"HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_INTERVAL":   "3s",
		"HCLOUD_LOAD_BALANCERS_PRIVATE_SUBNET_IP_RANGE": "10.0.1.0/24",
	}
	read := func(name string) string { return variables[name] }
	got, err := balancerDefaultsOf(read)
	if err != nil || got.location != "hel1" || got.kind != "lb11" || !got.usePrivateIP || got.privateIngress {
		t.Errorf("%+v, %v", got, err)
	}
	if got.healthCheck.Interval.Seconds() != 3 || got.subnet.String() != "10.0.1.0/24" || got.healthCheck.Timeout != nil {
		t.Errorf("%+v", got)
	}
	variables["HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_INTERVAL"] = "often"
	if _, err := balancerDefaultsOf(read); err == nil {
		t.Error("an interval that is none is taken")
	}
}

func TestAddressesOfAServerWithoutAPublicOne(t *testing.T) {
	server := &hcloud.Server{Name: "demo-w-1", PrivateNet: []hcloud.ServerPrivateNet{{
		Network: &hcloud.Network{ID: 7}, IP: net.ParseIP("10.0.0.3"),
	}}}
	if got := addressesOf(server, &hcloud.Network{ID: 7}); len(got) != 2 || got[1].Address != "10.0.0.3" {
		t.Error(got)
	}
	if got := addressesOf(server, &hcloud.Network{ID: 8}); len(got) != 1 {
		t.Error(got)
	}
}
