package main

import (
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestTheConflistGivesPodsTheNodesRangeAndTheMtu(t *testing.T) {
	text, err := conflist(netip.MustParsePrefix("10.0.129.0/24"), 1450)
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		CniVersion, Name string
		Plugins          []struct {
			Type string
			Mtu  int
			Ipam struct {
				Type   string
				Ranges [][]struct{ Subnet string }
			}
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	pair := list.Plugins[0]
	if list.Name == "" || list.CniVersion != "1.0.0" || len(list.Plugins) != 1 || pair.Type != "ptp" {
		t.Errorf("not a list of one pair of interfaces: %s", text)
	}
	if pair.Mtu != 1450 || pair.Ipam.Type != "host-local" || pair.Ipam.Ranges[0][0].Subnet != "10.0.129.0/24" {
		t.Errorf("not the range or the MTU: %s", text)
	}
	if text, err = conflist(netip.MustParsePrefix("10.0.129.0/24"), 0); err != nil || strings.Contains(string(text), "mtu") {
		t.Errorf("an MTU that nobody asked for: %s, %v", text, err)
	}
}

func TestAFileIsReplacedInOneStepAndOnlyIfItDiffers(t *testing.T) {
	path := filepath.Join(t.TempDir(), conflistName)
	long := time.Now().Add(-time.Hour)
	for _, content := range []string{"one", "two"} {
		if err := replaceFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := replaceFile(path, []byte("two"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || !info.ModTime().Equal(long.Truncate(0)) || info.Mode().Perm() != 0o600 {
		t.Errorf("written again, or with another mode: %v, %v", info, err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("something is left behind: %v, %v", entries, err)
	}
}

func TestPluginsGoWhereTheyAreMissing(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for path, content := range map[string]string{
		filepath.Join(from, "ptp"): "ours", filepath.Join(from, "host-local"): "ours", filepath.Join(to, "ptp"): "theirs",
	} {
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := installPlugins(from, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"ptp": "theirs", "host-local": "ours"} {
		if got, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, not %q: %v", name, got, want, err)
		}
	}
	if info, err := os.Stat(filepath.Join(to, "host-local")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("it cannot be run: %v, %v", info, err)
	}
}

func TestPodsKeepTheirAddressInTheNativeRangeAlone(t *testing.T) {
	rules := masqueradeRules(netip.MustParsePrefix("10.0.129.0/24"), netip.MustParsePrefix("10.0.0.0/16"))
	if !strings.Contains(rules, "ip saddr 10.0.129.0/24 ip daddr != 10.0.0.0/16 masquerade") {
		t.Error(rules)
	}
}

func TestTheSettingsAreThoseOfTheConfigMap(t *testing.T) {
	folder := func(change map[string]string) fstest.MapFS {
		files := fstest.MapFS{}
		for _, values := range []map[string]string{{
			"routing-mode": "native", "ipam": "kubernetes", "ipv4-native-routing-cidr": "10.0.0.0/16", "mtu": "1450",
			"kube-proxy-replacement": "true", "kube-proxy-replacement-healthz-bind-address": "0.0.0.0:10256",
		}, change} {
			for key, value := range values {
				files[key] = &fstest.MapFile{Data: []byte(value)}
			}
		}
		return files
	}
	settings, err := readAgentSettings(folder(nil))
	want := agentSettings{netip.MustParsePrefix("10.0.0.0/16"), 1450, true, "0.0.0.0:10256"}
	if err != nil || settings != want {
		t.Errorf("%+v, %v", settings, err)
	}
	for key, value := range map[string]string{
		"routing-mode": "tunnel", "ipam": "cluster-pool", "ipv4-native-routing-cidr": "", "mtu": "much",
	} {
		if _, err := readAgentSettings(folder(map[string]string{key: value})); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s=%q is taken: %v", key, value, err)
		}
	}
}
