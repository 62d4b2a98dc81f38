package main

import (
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
)

// What the environment asks of every load balancer.
type balancerDefaults struct {
	location       string
	kind           string
	algorithm      hcloud.LoadBalancerAlgorithmType
	usePrivateIP   bool
	privateIngress bool
	// In which the balancer gets its private address; nil for any.
	subnet      *net.IPNet
	healthCheck hcloud.LoadBalancerAddServiceOptsHealthCheck
}

func balancerDefaultsOf(variable func(string) string) (balancerDefaults, error) {
	text := func(name string) string { return variable("HCLOUD_LOAD_BALANCERS_" + name) }
	defaults := balancerDefaults{
		location:       text("LOCATION"),
		kind:           text("TYPE"),
		algorithm:      hcloud.LoadBalancerAlgorithmType(text("ALGORITHM_TYPE")),
		usePrivateIP:   text("USE_PRIVATE_IP") == "true",
		privateIngress: text("DISABLE_PRIVATE_INGRESS") != "true",
	}
	if defaults.kind == "" {
		defaults.kind = "lb11"
	}
	if subnet := text("PRIVATE_SUBNET_IP_RANGE"); subnet != "" {
		_, parsed, err := net.ParseCIDR(subnet)
		if err != nil {
			return defaults, fmt.Errorf("HCLOUD_LOAD_BALANCERS_PRIVATE_SUBNET_IP_RANGE: %w", err)
		}
		defaults.subnet = parsed
	}
	interval, err := durationOf(text("HEALTH_CHECK_INTERVAL"))
	if err != nil {
		return defaults, err
	}
	timeout, err := durationOf(text("HEALTH_CHECK_TIMEOUT"))
	if err != nil {
		return defaults, err
	}
	defaults.healthCheck = hcloud.LoadBalancerAddServiceOptsHealthCheck{
		Protocol: hcloud.LoadBalancerServiceProtocolTCP,
		Interval: interval,
		Timeout:  timeout,
	}
	if retries := text("HEALTH_CHECK_RETRIES"); retries != "" {
		count, err := strconv.Atoi(retries)
		if err != nil {
			return defaults, fmt.Errorf("HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_RETRIES: %w", err)
		}
		defaults.healthCheck.Retries = &count
	}
	return defaults, nil
}

func durationOf(text string) (*time.Duration, error) {
	if text == "" {
		return nil, nil
	}
	duration, err := time.ParseDuration(text)
	return &duration, err
}
