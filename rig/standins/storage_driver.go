package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/hetznercloud/hcloud-go/v2/hcloud/metadata"
	"google.golang.org/grpc"
)

const (
	driverName       = "csi.hetzner.cloud"
	volumesPerServer = 16
)

// runStorageDriver stands for Hetzner's storage driver. It makes the nodes known as ones that take
// volumes, so that everything which waits for that is content; volumes themselves are not played: no
// claim is ever bound.
func runStorageDriver(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("hcloud-csi-driver", flag.ContinueOnError)
	flags.Bool("controller", false, "")
	isNode := flags.Bool("node", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, &identity{})
	if *isNode {
		where, err := awaitPlace(ctx, metadata.NewClient(metadata.WithTimeout(5*time.Second)))
		if err != nil {
			return err
		}
		where.providedBy = os.Getenv("ENABLE_PROVIDED_BY_TOPOLOGY") != ""
		csi.RegisterNodeServer(server, &nodeService{where: where})
	}
	return serveSocket(ctx, server, strings.TrimPrefix(os.Getenv("CSI_ENDPOINT"), "unix://"))
}

// A server and its location, as Hetzner's metadata service tells them.
type place struct {
	serverID   int64
	location   string
	providedBy bool
}

func awaitPlace(ctx context.Context, client *metadata.Client) (place, error) {
	for {
		where, err := readPlace(ctx, client)
		if err == nil || ctx.Err() != nil {
			return where, err
		}
		slog.Warn("the metadata service does not say which server this is", "error", err)
		pause(ctx, 2*time.Second)
	}
}

func readPlace(ctx context.Context, client *metadata.Client) (place, error) {
	id, err := client.InstanceIDWithContext(ctx)
	if err != nil {
		return place{}, err
	}
	zone, err := client.AvailabilityZoneWithContext(ctx)
	if err != nil {
		return place{}, err
	}
	// The metadata service still speaks of a datacenter of the location: hel1-dc2.
	location, _, _ := strings.Cut(zone, "-")
	return place{serverID: id, location: location}, nil
}

type identity struct {
	csi.UnimplementedIdentityServer
}

func (*identity) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: driverName, VendorVersion: "stand-in"}, nil
}

func (*identity) GetPluginCapabilities(
	context.Context, *csi.GetPluginCapabilitiesRequest,
) (*csi.GetPluginCapabilitiesResponse, error) {
	return &csi.GetPluginCapabilitiesResponse{}, nil
}

func (*identity) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{}, nil
}

type nodeService struct {
	csi.UnimplementedNodeServer
	where place
}

func (node *nodeService) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	segments := map[string]string{driverName + "/location": node.where.location}
	if node.where.providedBy {
		segments["instance.hetzner.cloud/provided-by"] = "cloud"
	}
	return &csi.NodeGetInfoResponse{
		NodeId:             strconv.FormatInt(node.where.serverID, 10),
		MaxVolumesPerNode:  volumesPerServer,
		AccessibleTopology: &csi.Topology{Segments: segments},
	}, nil
}

func (*nodeService) NodeGetCapabilities(
	context.Context, *csi.NodeGetCapabilitiesRequest,
) (*csi.NodeGetCapabilitiesResponse, error) {
	return &csi.NodeGetCapabilitiesResponse{}, nil
}

// serveSocket serves on a Unix socket, in place of one that a predecessor left, until ctx is done.
func serveSocket(ctx context.Context, server *grpc.Server, path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take the place of the old socket: %w", err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		server.Stop()
	}()
	return server.Serve(listener)
}
