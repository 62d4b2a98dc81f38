package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/hetznercloud/hcloud-go/v2/hcloud/metadata"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

func dial(t *testing.T, socket string) *grpc.ClientConn {
	t.Helper()
	connection, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return connection
}

func TestTheKubeletLearnsOfTheDriverAndTheDriverOfTheServer(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	folder := t.TempDir()
	socket := filepath.Join(folder, "socket")
	// A predecessor that was killed left its socket.
	if err := os.WriteFile(socket, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, &identity{})
	csi.RegisterNodeServer(server, &nodeService{where: place{serverID: 42, location: "hel1", providedBy: true}})
	ended := make(chan error, 2)
	go func() { ended <- serveSocket(ctx, server, socket) }()
	go func() {
		ended <- runRegistrar(ctx, []string{
			"--csi-address=" + socket, "--plugin-registration-path=" + folder,
			"--kubelet-registration-path=/var/lib/kubelet/plugins/csi.hetzner.cloud/socket",
		})
	}()

	// As the kubelet does: it finds a socket, asks who that is, asks the driver for the node, and confirms.
	plugin := registration.NewRegistrationClient(dial(t, filepath.Join(folder, driverName+"-reg.sock")))
	info, err := plugin.GetInfo(ctx, &registration.InfoRequest{}, grpc.WaitForReady(true))
	if err != nil {
		t.Fatal(err)
	}
	if info.Type != registration.CSIPlugin || info.Name != driverName ||
		info.Endpoint != "/var/lib/kubelet/plugins/csi.hetzner.cloud/socket" {
		t.Errorf("%+v", info)
	}
	answer, err := csi.NewNodeClient(dial(t, socket)).NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
	if err != nil {
		t.Fatal(err)
	}
	segments := answer.GetAccessibleTopology().GetSegments()
	if answer.NodeId != "42" || answer.MaxVolumesPerNode != volumesPerServer ||
		segments["csi.hetzner.cloud/location"] != "hel1" || segments["instance.hetzner.cloud/provided-by"] != "cloud" {
		t.Errorf("%+v", answer)
	}
	if _, err := plugin.NotifyRegistrationStatus(ctx, &registration.RegistrationStatus{PluginRegistered: true}); err != nil {
		t.Error(err)
	}
	cancel()
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestThePlaceIsWhatTheMetadataServiceSays(t *testing.T) {
	answers := map[string]string{"/instance-id": "42", "/availability-zone": "hel1-dc2"}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(answers[r.URL.Path]))
	}))
	defer service.Close()
	got, err := readPlace(context.Background(), metadata.NewClient(metadata.WithEndpoint(service.URL)))
	if want := (place{serverID: 42, location: "hel1"}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
}
