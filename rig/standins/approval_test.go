package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"net"
	"strings"
	"testing"

	certificates "k8s.io/api/certificates/v1"
)

var environment = map[string]string{
	"PROVIDER_REGEX":        "^demo-[a-z0-9-]+$",
	"PROVIDER_IP_PREFIXES":  "10.0.0.0/24,::/0",
	"BYPASS_DNS_RESOLUTION": "true",
	"ALLOWED_DNS_NAMES":     "1",
}

func rulesWith(t *testing.T, change map[string]string) approvalRules {
	t.Helper()
	rules, err := approvalRulesOf(func(name string) string {
		if value, changed := change[name]; changed {
			return value
		}
		return environment[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

type asked struct {
	user, commonName string
	names, addresses []string
	seconds          int32
}

func requestFor(t *testing.T, it asked) *certificates.CertificateSigningRequest {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.CertificateRequest{
		Subject:  pkix.Name{CommonName: it.commonName, Organization: []string{"system:nodes"}},
		DNSNames: it.names,
	}
	for _, address := range it.addresses {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(address))
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, template, key)
	if err != nil {
		t.Fatal(err)
	}
	request := &certificates.CertificateSigningRequest{}
	request.Spec.Username = it.user
	request.Spec.Request = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der})
	if it.seconds > 0 {
		request.Spec.ExpirationSeconds = &it.seconds
	}
	return request
}

func TestARequestIsApprovedOrDeniedByTheRules(t *testing.T) {
	const node = "system:node:demo-w-1"
	names, addresses := []string{"demo-w-1"}, []string{"10.0.0.3", "2001:db8::1"}
	for name, it := range map[string]struct {
		asked  asked
		denial string
	}{
		"a node's own":             {asked{node, node, names, addresses, 0}, ""},
		"addresses alone":          {asked{node, node, nil, addresses, 0}, ""},
		"nothing":                  {asked{node, node, nil, nil, 0}, "neither a host nor an address"},
		"somebody else":            {asked{"jane", "jane", names, addresses, 0}, "not come from a node"},
		"another node's":           {asked{node, "system:node:demo-w-2", names, addresses, 0}, "common name"},
		"another node's name":      {asked{node, node, []string{"demo-w-2"}, addresses, 0}, "not that of the node"},
		"a stranger":               {asked{"system:node:evil", "system:node:evil", []string{"evil"}, nil, 0}, "provider's form"},
		"two names":                {asked{node, node, []string{"demo-w-1", "demo-w-1.x"}, nil, 0}, "more than 1"},
		"an address outside":       {asked{node, node, names, []string{"10.0.1.3"}, 0}, "10.0.1.3 lies in none"},
		"a certificate for ever":   {asked{node, node, names, addresses, longestExpirationSeconds + 1}, "too long"},
		"one for the longest time": {asked{node, node, names, addresses, longestExpirationSeconds}, ""},
	} {
		denial, err := rulesWith(t, nil).denial(context.Background(), requestFor(t, it.asked))
		if err != nil || (it.denial == "") != (denial == "") || !strings.Contains(denial, it.denial) {
			t.Errorf("%s: %q, %v", name, denial, err)
		}
	}
}

func TestNamesMustResolveUnlessThatIsBypassed(t *testing.T) {
	rules := rulesWith(t, map[string]string{"BYPASS_DNS_RESOLUTION": ""})
	known := map[string][]string{"demo-w-1": {"10.0.0.3"}}
	rules.resolve = func(_ context.Context, host string) ([]string, error) {
		if found := known[host]; found != nil {
			return found, nil
		}
		return nil, errors.New("no such host")
	}
	for address, approved := range map[string]bool{"10.0.0.3": true, "10.0.0.33": false} {
		it := asked{"system:node:demo-w-1", "system:node:demo-w-1", []string{"demo-w-1"}, []string{address}, 0}
		denial, err := rules.denial(context.Background(), requestFor(t, it))
		if err != nil || (denial == "") != approved {
			t.Errorf("%s: %q, %v", address, denial, err)
		}
	}
	it := asked{"system:node:demo-w-2", "system:node:demo-w-2", []string{"demo-w-2"}, []string{"10.0.0.3"}, 0}
	if denial, err := rules.denial(context.Background(), requestFor(t, it)); err != nil || denial == "" {
		t.Errorf("a name that nobody knows is approved: %v", err)
	}
}

func TestRulesThatMeanNothingAreRefused(t *testing.T) {
	for name, value := range map[string]string{
		"PROVIDER_REGEX": "(", "PROVIDER_IP_PREFIXES": "everywhere", "ALLOWED_DNS_NAMES": "some", "MAX_EXPIRATION_SEC": "-1",
	} {
		_, err := approvalRulesOf(func(asked string) string {
			if asked == name {
				return value
			}
			return environment[asked]
		})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
	if _, err := approvalRulesOf(func(string) string { return "" }); err == nil {
		t.Error("without a form for names every name would be approved")
	}
}
