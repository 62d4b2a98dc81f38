// Drives the simulated Hetzner API with Hetzner's own Go SDK: `hcloud-go-peer <scenario>`.
// HCLOUD_ENDPOINT and HCLOUD_TOKEN say where and as whom. A scenario ends the process with an error
// as soon as something is not as documented.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
)

type bed struct {
	context.Context
	*hcloud.Client
}

var scenarios = map[string]func(*bed){
	"catalogue":        catalogue,
	"ssh_keys":         sshKeys,
	"networks":         networks,
	"firewalls":        firewalls,
	"placement_groups": placementGroups,
	"servers":          servers,
	"rescue":           rescue,
	"load_balancers":   loadBalancers,
	"addresses":        addresses,
	"volumes":          volumes,
	"lost_answers":     lostAnswers,
}

func main() {
	client := hcloud.NewClient(
		hcloud.WithToken(os.Getenv("HCLOUD_TOKEN")),
		hcloud.WithEndpoint(os.Getenv("HCLOUD_ENDPOINT")),
		hcloud.WithApplication("peer", "1.0"),
		hcloud.WithPollOpts(hcloud.PollOpts{BackoffFunc: hcloud.ConstantBackoff(10 * time.Millisecond)}),
		hcloud.WithRetryOpts(hcloud.RetryOpts{
			BackoffFunc: hcloud.ConstantBackoff(10 * time.Millisecond), MaxRetries: 5,
		}),
	)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	scenarios[os.Args[1]](&bed{ctx, client})
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	panic("not as documented")
}

func check(holds bool, format string, args ...any) {
	if !holds {
		fail(format, args...)
	}
}

func ok(err error) {
	if err != nil {
		fail("refused: %v", err)
	}
}

// one takes the value out of the three results that most calls of the SDK have.
func one[T any](value T, _ *hcloud.Response, err error) T {
	ok(err)
	return value
}

func (b *bed) wait(actions ...*hcloud.Action) {
	ok(b.Action.WaitFor(b, actions...))
}

// acted takes an action out of a call's results and waits for it.
func (b *bed) acted(action *hcloud.Action, _ *hcloud.Response, err error) {
	ok(err)
	b.wait(action)
}

func refuses(code hcloud.ErrorCode, err error, text ...string) {
	check(hcloud.IsError(err, code), "expected %s, got %v", code, err)
	for _, part := range text {
		check(strings.Contains(err.Error(), part), "%q lacks %q", err, part)
	}
}

func (b *bed) newServer(name string, change func(*hcloud.ServerCreateOpts)) *hcloud.Server {
	opts := hcloud.ServerCreateOpts{
		Name:       name,
		ServerType: &hcloud.ServerType{Name: "cx23"},
		Image:      &hcloud.Image{Name: "debian-13"},
		Location:   &hcloud.Location{Name: "fsn1"},
	}
	if change != nil {
		change(&opts)
	}
	created := one(b.Server.Create(b, opts))
	b.wait(append(created.NextActions, created.Action)...)
	return one(b.Server.GetByID(b, created.Server.ID))
}

func catalogue(b *bed) {
	types, err := b.ServerType.All(b)
	ok(err)
	check(len(types) > 20, "only %d server types", len(types))
	cpx21 := one(b.ServerType.GetByName(b, "cpx21"))
	for _, location := range cpx21.Locations {
		gone := location.Deprecation != nil && location.Deprecation.UnavailableAfter.Before(time.Now())
		check(gone == (location.Location.Name != "ash" && location.Location.Name != "hil" && location.Location.Name != "sin"),
			"cpx21 in %s: %v", location.Location.Name, gone)
	}
	pricing := one(b.Pricing.Get(b))
	check(pricing.Currency == "EUR", "currency %s", pricing.Currency)
	check(len(pricing.ServerTypes) == len(types), "prices of %d types", len(pricing.ServerTypes))
	image := one(b.Image.GetForArchitecture(b, "debian-13", hcloud.ArchitectureARM))
	check(image.Architecture == hcloud.ArchitectureARM, "wrong architecture")
	locations, err := b.Location.All(b)
	ok(err)
	check(len(locations) == 6, "%d locations", len(locations))
	lb11 := one(b.LoadBalancerType.GetByName(b, "lb11"))
	check(lb11.ID == 1 && lb11.MaxServices == 5, "lb11: %+v", lb11)
}

func lostAnswers(b *bed) {
	group := one(b.PlacementGroup.Create(b, hcloud.PlacementGroupCreateOpts{
		Name: "pg", Type: hcloud.PlacementGroupTypeSpread,
	}))
	check(group.PlacementGroup.Name == "pg", "no group")
}
