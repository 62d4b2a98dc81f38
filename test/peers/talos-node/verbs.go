package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cosi-project/runtime/pkg/resource"
	"go.yaml.in/yaml/v4"
	"google.golang.org/grpc/codes"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/constants"
)

// call is one of those that stand behind a verb of ours; its answer is printed as JSON.
type call func(ctx context.Context, node *client.Client, argument string) (any, error)

var calls = map[string]call{
	"containers": func(ctx context.Context, node *client.Client, _ string) (any, error) {
		reply, err := node.Containers(ctx, constants.K8sContainerdNamespace, common.ContainerDriver_CRI)
		if err != nil {
			return nil, err
		}

		return reply.Messages[0].Containers, nil
	},
	"stats": func(ctx context.Context, node *client.Client, _ string) (any, error) {
		reply, err := node.Stats(ctx, constants.K8sContainerdNamespace, common.ContainerDriver_CRI)
		if err != nil {
			return nil, err
		}

		return reply.Messages[0].Stats, nil
	},
	"processes": func(ctx context.Context, node *client.Client, _ string) (any, error) {
		reply, err := node.Processes(ctx)
		if err != nil {
			return nil, err
		}

		return reply.Messages[0].Processes, nil
	},
	"memory": func(ctx context.Context, node *client.Client, _ string) (any, error) {
		reply, err := node.Memory(ctx)
		if err != nil {
			return nil, err
		}

		return reply.Messages[0].Meminfo, nil
	},
	"mounts": func(ctx context.Context, node *client.Client, _ string) (any, error) {
		reply, err := node.Mounts(ctx)
		if err != nil {
			return nil, err
		}

		return reply.Messages[0].Stats, nil
	},
	"images":  images,
	"pull":    pull,
	"restart": restart,
	"copy":    copied,
	"config":  configText,
	"patched": patched,
	"rollback": func(ctx context.Context, node *client.Client, _ string) (any, error) {
		return nil, node.Rollback(ctx)
	},
	"shutdown": func(ctx context.Context, node *client.Client, _ string) (any, error) {
		return nil, node.Shutdown(ctx)
	},
}

var pods = &common.ContainerdInstance{
	Driver:    common.ContainerDriver_CRI,
	Namespace: common.ContainerdNamespace_NS_CRI,
}

type answer struct {
	Value any `json:"value"`
	// The code of a refusal, and its words.
	Code    string `json:"code"`
	Message string `json:"message"`
}

func ask(talosconfig, address, name, argument string) (*answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	node, err := client.New(ctx, client.WithConfigFromFile(talosconfig), client.WithEndpoints(address))
	if err != nil {
		return nil, err
	}
	defer node.Close()

	run, ok := calls[name]
	if !ok {
		return nil, fmt.Errorf("there is no call %q", name)
	}

	value, err := run(ctx, node, argument)
	if err == nil {
		return &answer{Value: value, Code: codes.OK.String()}, nil
	}

	return &answer{Code: client.StatusCode(err).String(), Message: err.Error()}, nil
}

func images(ctx context.Context, node *client.Client, _ string) (any, error) {
	stream, err := node.ImageClient.List(ctx, &machineapi.ImageServiceListRequest{Containerd: pods})
	if err != nil {
		return nil, err
	}

	found := []any{}

	for {
		message, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return found, nil
		}

		if err != nil {
			return nil, err
		}

		found = append(found, map[string]any{
			"name":    message.GetName(),
			"digest":  message.GetDigest(),
			"size":    message.GetSize(),
			"created": message.GetCreatedAt().AsTime().UnixMilli(),
		})
	}
}

func pull(ctx context.Context, node *client.Client, image string) (any, error) {
	stream, err := node.ImageClient.Pull(ctx, &machineapi.ImageServicePullRequest{Containerd: pods, ImageRef: image})
	if err != nil {
		return nil, err
	}

	name := ""

	for {
		message, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return name, nil
		}

		if err != nil {
			return nil, err
		}

		if message.GetName() != "" {
			name = message.GetName()
		}
	}
}

func restart(ctx context.Context, node *client.Client, service string) (any, error) {
	reply, err := node.ServiceRestart(ctx, service)
	if err != nil {
		return nil, err
	}

	return reply.Messages[0].Resp, nil
}

// copied is what an archive holds: texts by name, those of files alone.
func copied(ctx context.Context, node *client.Client, path string) (any, error) {
	reader, err := node.Copy(ctx, path)
	if err != nil {
		return nil, err
	}
	defer reader.Close()

	unpacked, err := gzip.NewReader(reader)
	if err != nil {
		return nil, err
	}

	files := map[string]string{}
	archive := tar.NewReader(unpacked)

	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}

		if err != nil {
			return nil, err
		}

		if header.Typeflag != tar.TypeReg {
			continue
		}

		text, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}

		files[header.Name] = string(text)
	}
}

// configText is the active config, for the table of what is asked.
func configText(ctx context.Context, node *client.Client, _ string) (any, error) {
	return activeConfig(ctx, node)
}

// activeConfig reads it as talosctl does: a resource whose spec is YAML in a YAML string.
func activeConfig(ctx context.Context, node *client.Client) (string, error) {
	pointer := resource.NewMetadata("config", "MachineConfigs.config.talos.dev", "v1alpha1", resource.VersionUndefined)

	found, err := node.COSI.Get(ctx, pointer)
	if err != nil {
		return "", err
	}

	marshaled, err := resource.MarshalYAML(found)
	if err != nil {
		return "", err
	}

	text, err := yaml.Marshal(marshaled)
	if err != nil {
		return "", err
	}

	var config struct {
		Spec string `yaml:"spec"`
	}

	err = yaml.Unmarshal(text, &config)

	return config.Spec, err
}

// patched is what Talos's own code makes of the node's config and the patch in a file; the node is not changed.
func patched(ctx context.Context, node *client.Client, path string) (any, error) {
	text, err := activeConfig(ctx, node)
	if err != nil {
		return nil, err
	}

	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}

	patch, err := configpatcher.LoadPatch(source)
	if err != nil {
		return nil, err
	}

	output, err := configpatcher.Apply(configpatcher.WithBytes([]byte(text)), []configpatcher.Patch{patch})
	if err != nil {
		return nil, err
	}

	bytes, err := output.Bytes()

	return string(bytes), err
}
