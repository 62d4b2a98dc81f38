package main

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"time"

	certificates "k8s.io/api/certificates/v1"
)

// What the approver admits; see github.com/postfinance/kubelet-csr-approver for the real one's words.
type approvalRules struct {
	hostname             *regexp.Regexp
	ranges               []netip.Prefix
	bypassResolution     bool
	allowedNames         int
	maxExpirationSeconds int32
	resolve              func(ctx context.Context, host string) ([]string, error)
}

// denial says why a kubelet's request for a serving certificate is denied; empty is approval.
func (rules approvalRules) denial(ctx context.Context, request *certificates.CertificateSigningRequest) (string, error) {
	asked, err := parseRequest(request.Spec.Request)
	if err != nil {
		return "", err
	}
	nodeName, isNode := strings.CutPrefix(request.Spec.Username, "system:node:")
	expiration := request.Spec.ExpirationSeconds
	switch {
	case len(asked.DNSNames)+len(asked.IPAddresses) == 0:
		return "it names neither a host nor an address", nil
	case !isNode:
		return "it does not come from a node", nil
	case asked.Subject.CommonName != request.Spec.Username:
		return "its common name is not that of the node that asks", nil
	case len(asked.DNSNames) > rules.allowedNames:
		return fmt.Sprintf("it names more than %d hosts", rules.allowedNames), nil
	case expiration != nil && *expiration > rules.maxExpirationSeconds:
		return "it asks for too long a time", nil
	}
	for _, name := range asked.DNSNames {
		if !strings.HasPrefix(name, nodeName) {
			return fmt.Sprintf("the name %s is not that of the node", name), nil
		}
		if !rules.hostname.MatchString(name) {
			return fmt.Sprintf("the name %s is not of the provider's form", name), nil
		}
	}
	for _, address := range asked.IPAddresses {
		ip, ok := netip.AddrFromSlice(address)
		if !ok || !contains(rules.ranges, ip.Unmap()) {
			return fmt.Sprintf("the address %s lies in none of the provider's ranges", address), nil
		}
	}
	if rules.bypassResolution {
		return "", nil
	}
	return rules.unresolved(ctx, asked), nil
}

// unresolved says which address the names do not resolve to.
func (rules approvalRules) unresolved(ctx context.Context, asked *x509.CertificateRequest) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	for _, name := range asked.DNSNames {
		found, err := rules.resolve(ctx, name)
		if err != nil || len(found) == 0 {
			return fmt.Sprintf("the name %s does not resolve", name)
		}
		known := strings.Join(found, " ") + " "
		for _, address := range asked.IPAddresses {
			if !strings.Contains(known, address.String()+" ") {
				return fmt.Sprintf("the name %s does not resolve to %s", name, address)
			}
		}
	}
	return ""
}

func parseRequest(text []byte) (*x509.CertificateRequest, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE REQUEST" {
		return nil, errors.New("there is no certificate request in it")
	}
	return x509.ParseCertificateRequest(block.Bytes)
}

func contains(ranges []netip.Prefix, ip netip.Addr) bool {
	for _, prefix := range ranges {
		if prefix.Contains(ip) {
			return true
		}
	}
	return false
}
