package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	stdx509 "crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"go.yaml.in/yaml/v4"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// serve answers until standard input ends.
func serve(in input) error {
	var bundle secrets.Bundle

	if err := yaml.Unmarshal([]byte(in.Bundle), &bundle); err != nil {
		return fmt.Errorf("secrets bundle: %w", err)
	}

	tlsConfig, err := serverTLS(&bundle)
	if err != nil {
		return err
	}

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}

	tell := newTeller()
	server := grpc.NewServer(grpc.Creds(credentials.NewTLS(tlsConfig)), grpc.MaxRecvMsgSize(32<<20))

	methods, err := registerAll(server, tell)
	if err != nil {
		return err
	}

	tell.line(map[string]any{"port": listener.Addr().(*net.TCPAddr).Port, "methods": methods})

	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck
		server.Stop()
	}()

	if err := server.Serve(listener); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}

	return nil
}

// serverTLS is what apid does: the cluster's CA on both sides, and a client certificate for clients alone.
func serverTLS(bundle *secrets.Bundle) (*tls.Config, error) {
	ca, err := bundle.Certs.OS.GetCert()
	if err != nil {
		return nil, fmt.Errorf("Talos CA: %w", err)
	}

	caKey, err := bundle.Certs.OS.GetKey()
	if err != nil {
		return nil, fmt.Errorf("key of the Talos CA: %w", err)
	}

	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}

	template := &stdx509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Minute),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:     stdx509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []stdx509.ExtKeyUsage{stdx509.ExtKeyUsageServerAuth},
	}

	der, err := stdx509.CreateCertificate(rand.Reader, template, ca, public, caKey)
	if err != nil {
		return nil, err
	}

	pool := stdx509.NewCertPool()
	pool.AddCert(ca)

	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}},
		ClientCAs:    pool,
		ClientAuth:   tls.RequireAndVerifyClientCert,
		MinVersion:   tls.VersionTLS13,
		VerifyPeerCertificate: func(_ [][]byte, chains [][]*stdx509.Certificate) error {
			if !slices.Equal(chains[0][0].ExtKeyUsage, []stdx509.ExtKeyUsage{stdx509.ExtKeyUsageClientAuth}) {
				return errors.New("the certificate is not for a client alone")
			}

			return nil
		},
	}, nil
}

// teller writes one JSON line at a time.
type teller struct {
	mu  sync.Mutex
	out *json.Encoder
}

func newTeller() *teller {
	return &teller{out: json.NewEncoder(os.Stdout)}
}

func (t *teller) line(value any) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if err := t.out.Encode(value); err != nil {
		os.Exit(1)
	}
}

// untilDone waits for a call to end, and says whether the client ended it.
func untilDone(ctx context.Context) bool {
	<-ctx.Done()

	return errors.Is(ctx.Err(), context.Canceled)
}
