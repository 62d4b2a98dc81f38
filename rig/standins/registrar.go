package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

// runRegistrar tells the kubelet of the storage driver beside it: the kubelet watches a folder for
// sockets, and asks each who it is.
func runRegistrar(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("csi-node-driver-registrar", flag.ContinueOnError)
	driver := flags.String("csi-address", "/run/csi/socket", "the driver's socket, as this container sees it")
	endpoint := flags.String("kubelet-registration-path", "", "the driver's socket, as the kubelet sees it")
	folder := flags.String("plugin-registration-path", "/registration", "the folder that the kubelet watches")
	if err := flags.Parse(args); err != nil {
		return err
	}
	name, err := awaitDriver(ctx, *driver)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	registration.RegisterRegistrationServer(server, &registrar{name: name, endpoint: *endpoint})
	return serveSocket(ctx, server, filepath.Join(*folder, name+"-reg.sock"))
}

// awaitDriver waits until the driver answers, and returns its name.
func awaitDriver(ctx context.Context, socket string) (string, error) {
	connection, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return "", err
	}
	defer connection.Close()
	for {
		info, err := csi.NewIdentityClient(connection).GetPluginInfo(ctx, &csi.GetPluginInfoRequest{})
		if err == nil {
			return info.GetName(), nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		slog.Info("waiting for the driver", "error", err)
		pause(ctx, time.Second)
	}
}

type registrar struct {
	registration.UnimplementedRegistrationServer
	name, endpoint string
}

func (it *registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type:              registration.CSIPlugin,
		Name:              it.name,
		Endpoint:          it.endpoint,
		SupportedVersions: []string{"1.0.0"},
	}, nil
}

func (it *registrar) NotifyRegistrationStatus(
	_ context.Context, status *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	if !status.GetPluginRegistered() {
		return nil, fmt.Errorf("the kubelet does not take %s: %s", it.name, status.GetError())
	}
	slog.Info("the kubelet knows the driver", "driver", it.name)
	return &registration.RegistrationStatusResponse{}, nil
}
