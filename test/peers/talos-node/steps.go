package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
)

func (run *course) maintenance(ctx context.Context) (any, error) {
	made, err := newCluster(run.address)
	if err != nil {
		return nil, err
	}

	run.cluster = made

	insecure, err := run.insecure(ctx)
	if err != nil {
		return nil, err
	}
	defer insecure.Close()

	version, err := insecure.Version(ctx)
	if err != nil {
		return nil, err
	}

	return version.Messages[0].Version.Tag, nil
}

func (run *course) apply(ctx context.Context) (any, error) {
	insecure, err := run.insecure(ctx)
	if err != nil {
		return nil, err
	}
	defer insecure.Close()

	reply, err := insecure.ApplyConfiguration(ctx, &machineapi.ApplyConfigurationRequest{
		Data: run.cluster.config,
		Mode: machineapi.ApplyConfigurationRequest_AUTO,
	})
	if err != nil {
		return nil, err
	}

	return reply.Messages[0].ModeDetails, nil
}

func (run *course) version(ctx context.Context) (any, error) {
	return eventually(ctx, func() (any, error) {
		return with(ctx, run, func(node *client.Client) (any, error) {
			reply, err := node.Version(ctx)
			if err != nil {
				return nil, err
			}

			return reply.Messages[0].Version.Tag, nil
		})
	})
}

func (run *course) bootstrap(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		return nil, node.Bootstrap(ctx, &machineapi.BootstrapRequest{})
	})
}

func (run *course) bootstrapAgain(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		err := node.Bootstrap(ctx, &machineapi.BootstrapRequest{})
		if code := client.StatusCode(err); code != codes.AlreadyExists {
			return nil, fmt.Errorf("bootstrapped twice: %s", code)
		}

		return codes.AlreadyExists.String(), nil
	})
}

func (run *course) running(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		events := make(chan client.EventResult)

		watch, cancel := context.WithCancel(ctx)
		defer cancel()

		if err := node.EventsWatchV2(watch, events, client.WithTailEvents(-1)); err != nil {
			return nil, err
		}

		for result := range events {
			if result.Error != nil {
				return nil, result.Error
			}

			status, isStatus := result.Event.Payload.(*machineapi.MachineStatusEvent)
			if isStatus && status.Stage == machineapi.MachineStatusEvent_RUNNING && status.Status.Ready {
				return status.Stage.String(), nil
			}
		}

		return nil, errors.New("no event said that the node runs")
	})
}

func (run *course) services(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		reply, err := node.ServiceList(ctx)
		if err != nil {
			return nil, err
		}

		states := map[string]string{}
		for _, service := range reply.Messages[0].Services {
			states[service.Id] = service.State
		}

		return states, nil
	})
}

func (run *course) members(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		reply, err := node.EtcdMemberList(ctx, &machineapi.EtcdMemberListRequest{})
		if err != nil {
			return nil, err
		}

		names := []string{}
		for _, member := range reply.Messages[0].Members {
			names = append(names, member.Hostname)
		}

		return names, nil
	})
}

func (run *course) kubeconfig(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		text, err := node.Kubeconfig(ctx)

		return string(text), err
	})
}

// machineConfig says whether the active config is that of the cluster.
func (run *course) machineConfig(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		text, err := activeConfig(ctx, node)

		return strings.Contains(text, "clusterName: demo"), err
	})
}

func (run *course) health(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		stream, err := node.ClusterHealthCheck(ctx, time.Minute, nil)
		if err != nil {
			return nil, err
		}

		lines := []string{}

		for {
			message, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				return lines, nil
			}

			if err != nil {
				return nil, err
			}

			lines = append(lines, message.Message)
		}
	})
}

func (run *course) snapshot(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		reader, err := node.EtcdSnapshot(ctx, &machineapi.EtcdSnapshotRequest{})
		if err != nil {
			return nil, err
		}
		defer reader.Close()

		bytes, err := io.ReadAll(reader)

		return len(bytes) > 32, err
	})
}

func (run *course) upgrade(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		containerd := &common.ContainerdInstance{Namespace: common.ContainerdNamespace_NS_SYSTEM}

		pull, err := node.ImageClient.Pull(ctx, &machineapi.ImageServicePullRequest{Containerd: containerd, ImageRef: run.image})
		if err != nil {
			return nil, err
		}

		name := ""

		for {
			message, err := pull.Recv()
			if errors.Is(err, io.EOF) {
				break
			}

			if err != nil {
				return nil, err
			}

			if message.GetName() != "" {
				name = message.GetName()
			}
		}

		return run.install(ctx, node, containerd, name)
	})
}

func (run *course) install(ctx context.Context, node *client.Client, containerd *common.ContainerdInstance, name string) (any, error) {
	stream, err := node.LifecycleClient.Upgrade(ctx, &machineapi.LifecycleServiceUpgradeRequest{
		Containerd: containerd,
		Source:     &machineapi.InstallArtifactsSource{ImageName: name},
	})
	if err != nil {
		return nil, err
	}

	for {
		message, err := stream.Recv()
		if err != nil {
			return nil, fmt.Errorf("no exit code: %w", err)
		}

		if exit, ended := message.Progress.Response.(*machineapi.LifecycleServiceInstallProgress_ExitCode); ended {
			return exit.ExitCode, nil
		}
	}
}

func (run *course) reboot(ctx context.Context) (any, error) {
	before, err := run.bootID(ctx)
	if err != nil {
		return nil, err
	}

	if _, err = with(ctx, run, func(node *client.Client) (any, error) { return nil, node.Reboot(ctx) }); err != nil {
		return nil, err
	}

	return eventually(ctx, func() (any, error) {
		after, err := run.bootID(ctx)
		if err == nil && after == before {
			err = errors.New("the boot id is still the same")
		}

		return after != before, err
	})
}

func (run *course) bootID(ctx context.Context) (any, error) {
	return with(ctx, run, func(node *client.Client) (any, error) {
		reader, err := node.Read(ctx, "/proc/sys/kernel/random/boot_id")
		if err != nil {
			return nil, err
		}
		defer reader.Close()

		bytes, err := io.ReadAll(reader)

		return strings.TrimSpace(string(bytes)), err
	})
}

func (run *course) reset(ctx context.Context) (any, error) {
	_, err := with(ctx, run, func(node *client.Client) (any, error) {
		return nil, node.ResetGeneric(ctx, &machineapi.ResetRequest{
			Reboot: true,
			SystemPartitionsToWipe: []*machineapi.ResetPartitionSpec{
				{Label: "STATE", Wipe: true},
				{Label: "EPHEMERAL", Wipe: true},
			},
		})
	})
	if err != nil {
		return nil, err
	}

	return eventually(ctx, func() (any, error) {
		insecure, err := run.insecure(ctx)
		if err != nil {
			return nil, err
		}
		defer insecure.Close()

		reply, err := insecure.Version(ctx)
		if err != nil {
			return nil, err
		}

		return reply.Messages[0].Version.Tag, nil
	})
}

func (run *course) insecure(ctx context.Context) (*client.Client, error) {
	return client.New(ctx, client.WithTLSConfig(&tls.Config{InsecureSkipVerify: true}), client.WithEndpoints(run.address))
}

func with(ctx context.Context, run *course, use func(*client.Client) (any, error)) (any, error) {
	node, err := client.New(ctx, run.client()...)
	if err != nil {
		return nil, err
	}
	defer node.Close()

	return use(node)
}

// eventually tries until it works; a node that changes its mode or reboots is away for a moment.
func eventually(ctx context.Context, try func() (any, error)) (any, error) {
	for {
		value, err := try()
		if err == nil {
			return value, nil
		}

		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(50 * time.Millisecond):
		}
	}
}
