package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	certificates "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// The longest time that a certificate may be asked for, unless the environment says less: 367 days.
const longestExpirationSeconds = 367 * 24 * 3600

// runApprover approves the serving certificates of kubelets by the rules of its environment, and denies
// those that break them.
func runApprover(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("kubelet-csr-approver", flag.ContinueOnError)
	metrics := flags.String("metrics-bind-address", ":8080", "")
	health := flags.String("health-probe-bind-address", ":8081", "")
	elect := flags.Bool("leader-election", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	rules, err := approvalRulesOf(os.Getenv)
	if err != nil {
		return err
	}
	client, err := connect()
	if err != nil {
		return err
	}
	for _, address := range []string{*metrics, *health} {
		if err := serveHealth(ctx, address, healthy); err != nil {
			return err
		}
	}
	approve := func(ctx context.Context) { approveRequests(ctx, client, rules) }
	if *elect {
		return whileLeading(ctx, client, "kubelet-csr-approver", approve)
	}
	approve(ctx)
	return nil
}

func approvalRulesOf(variable func(string) string) (approvalRules, error) {
	rules := approvalRules{
		allowedNames:         1,
		maxExpirationSeconds: longestExpirationSeconds,
		bypassResolution:     variable("BYPASS_DNS_RESOLUTION") == "true",
		resolve:              net.DefaultResolver.LookupHost,
	}
	var err error
	if rules.hostname, err = regexp.Compile(variable("PROVIDER_REGEX")); err != nil {
		return rules, fmt.Errorf("PROVIDER_REGEX: %w", err)
	}
	if rules.hostname.String() == "" {
		return rules, errors.New("PROVIDER_REGEX is not set")
	}
	ranges := variable("PROVIDER_IP_PREFIXES")
	if ranges == "" {
		ranges = "0.0.0.0/0,::/0"
	}
	for _, text := range strings.Split(ranges, ",") {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return rules, fmt.Errorf("PROVIDER_IP_PREFIXES: %w", err)
		}
		rules.ranges = append(rules.ranges, prefix)
	}
	if text := variable("ALLOWED_DNS_NAMES"); text != "" {
		if rules.allowedNames, err = strconv.Atoi(text); err != nil {
			return rules, fmt.Errorf("ALLOWED_DNS_NAMES: %w", err)
		}
	}
	if text := variable("MAX_EXPIRATION_SEC"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 32)
		if err != nil || seconds < 0 || seconds > longestExpirationSeconds {
			return rules, fmt.Errorf("MAX_EXPIRATION_SEC: %q is not between 0 and 367 days", text)
		}
		rules.maxExpirationSeconds = int32(seconds)
	}
	return rules, nil
}

// approveRequests decides every request, those that are there already and those to come, until ctx is
// done. What failed is looked at again with the next round.
func approveRequests(ctx context.Context, client kubernetes.Interface, rules approvalRules) {
	factory := informers.NewSharedInformerFactory(client, 10*time.Second)
	informer := factory.Certificates().V1().CertificateSigningRequests().Informer()
	look := func(object any) {
		request, ok := object.(*certificates.CertificateSigningRequest)
		if !ok {
			return
		}
		if err := decide(ctx, client, rules, request.DeepCopy()); err != nil {
			slog.Warn("the request is not decided", "request", request.Name, "error", err)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    look,
		UpdateFunc: func(_, object any) { look(object) },
	})
	if err != nil {
		slog.Error("requests cannot be watched", "error", err)
		return
	}
	factory.Start(ctx.Done())
	<-ctx.Done()
	factory.Shutdown()
}

func decide(
	ctx context.Context,
	client kubernetes.Interface,
	rules approvalRules,
	request *certificates.CertificateSigningRequest,
) error {
	if request.Spec.SignerName != certificates.KubeletServingSignerName || isDecided(request) {
		return nil
	}
	reason, err := rules.denial(ctx, request)
	if err != nil {
		return err
	}
	condition := certificates.CertificateSigningRequestCondition{
		Type:           certificates.CertificateApproved,
		Status:         corev1.ConditionTrue,
		Reason:         "kubelet-serving cert validated",
		Message:        "the request keeps the rules of the approver",
		LastUpdateTime: metav1.Now(),
	}
	if reason != "" {
		condition.Type = certificates.CertificateDenied
		condition.Reason = "kubelet-serving cert denied"
		condition.Message = "the request breaks the rules of the approver: " + reason
	}
	request.Status.Conditions = append(request.Status.Conditions, condition)
	_, err = client.CertificatesV1().CertificateSigningRequests().
		UpdateApproval(ctx, request.Name, request, metav1.UpdateOptions{})
	// Somebody else was faster, or it is gone; its next state comes by the watch.
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return nil
	}
	if err == nil {
		slog.Info("decided", "request", request.Name, "user", request.Spec.Username, "as", condition.Type, "reason", reason)
	}
	return err
}

func isDecided(request *certificates.CertificateSigningRequest) bool {
	for _, condition := range request.Status.Conditions {
		if condition.Type == certificates.CertificateApproved || condition.Type == certificates.CertificateDenied {
			return true
		}
	}
	return len(request.Status.Certificate) > 0
}
