package main

import (
	"encoding/json"
	"fmt"
	"io"

	cosi "github.com/cosi-project/runtime/api/v1alpha1"
	"github.com/siderolabs/talos/pkg/machinery/api/cluster"
	"github.com/siderolabs/talos/pkg/machinery/api/inspect"
	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/api/storage"
	timeapi "github.com/siderolabs/talos/pkg/machinery/api/time"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/durationpb"
)

// services are all that a client of a node can talk to.
var services = []*grpc.ServiceDesc{
	&machine.MachineService_ServiceDesc,
	&machine.ImageService_ServiceDesc,
	&machine.LifecycleService_ServiceDesc,
	&machine.DebugService_ServiceDesc,
	&cluster.ClusterService_ServiceDesc,
	&inspect.InspectService_ServiceDesc,
	&storage.StorageService_ServiceDesc,
	&timeapi.TimeService_ServiceDesc,
	&cosi.State_ServiceDesc,
}

// registerAll answers for every method of every service, and names them.
func registerAll(server *grpc.Server, tell *teller) ([]string, error) {
	var names []string

	for _, known := range services {
		found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(known.ServiceName))
		if err != nil {
			return nil, err
		}

		methods := found.(protoreflect.ServiceDescriptor).Methods()
		desc := grpc.ServiceDesc{ServiceName: known.ServiceName, Metadata: known.Metadata}

		if methods.Len() != len(known.Methods)+len(known.Streams) {
			return nil, fmt.Errorf("%s: its definitions do not agree", known.ServiceName)
		}

		for i := range methods.Len() {
			method := methods.Get(i)
			names = append(names, known.ServiceName+"/"+string(method.Name()))
			// On the wire each method is a stream of messages in either direction.
			desc.Streams = append(desc.Streams, grpc.StreamDesc{
				StreamName:    string(method.Name()),
				ServerStreams: true,
				ClientStreams: true,
				Handler: func(_ any, stream grpc.ServerStream) error {
					return answer(method, stream, tell)
				},
			})
		}

		server.RegisterService(&desc, nil)
	}

	return names, nil
}

// report is what is told of one call.
type report struct {
	Method    string            `json:"method"`
	Roles     []string          `json:"roles"`
	Header    map[string]string `json:"header"`
	Requests  []json.RawMessage `json:"requests"`
	Unknown   int               `json:"unknown"`
	Answers   []json.RawMessage `json:"answers"`
	Cancelled bool              `json:"cancelled"`
}

func answer(method protoreflect.MethodDescriptor, stream grpc.ServerStream, tell *teller) error {
	call := report{Method: string(method.Parent().FullName()) + "/" + string(method.Name()), Header: map[string]string{}}
	incoming, _ := metadata.FromIncomingContext(stream.Context())
	call.Roles = rolesOf(stream)

	for _, key := range []string{"node", "x-test"} {
		if values := incoming.Get(key); len(values) > 0 {
			call.Header[key] = values[0]
		}
	}

	if mode := call.Header["x-test"]; mode != "quiet" {
		defer func() { tell.line(call) }()
	}

	if err := readRequests(method, stream, &call); err != nil {
		return err
	}

	switch call.Header["x-test"] {
	case "fail":
		return failure()
	case "endless":
		for {
			if err := sendAnswers(method, stream, &call, incoming.Get("nodes")); err != nil {
				call.Cancelled = untilDone(stream.Context())

				return err
			}
		}
	}

	return sendAnswers(method, stream, &call, incoming.Get("nodes"))
}

func readRequests(method protoreflect.MethodDescriptor, stream grpc.ServerStream, call *report) error {
	for {
		request, err := newMessage(method.Input())
		if err != nil {
			return err
		}

		if err = stream.RecvMsg(request); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}

		call.Unknown += len(request.ProtoReflect().GetUnknown())

		text, err := protojson.Marshal(request)
		if err != nil {
			return err
		}

		call.Requests = append(call.Requests, text)
	}
}

func sendAnswers(method protoreflect.MethodDescriptor, stream grpc.ServerStream, call *report, nodes []string) error {
	count := 1
	if method.IsStreamingServer() {
		count = max(2, len(nodes))
	}

	for variant := range count {
		message, err := newMessage(method.Output())
		if err != nil {
			return err
		}

		fill(message.ProtoReflect(), variant, 0)

		if len(nodes) > 0 {
			attribute(message.ProtoReflect(), nodes, variant)
		}

		if text, err := protojson.Marshal(message); err != nil {
			return err
		} else if len(call.Answers) < 4 {
			call.Answers = append(call.Answers, text)
		}

		if err := stream.SendMsg(message); err != nil {
			return err
		}
	}

	return nil
}

func rolesOf(stream grpc.ServerStream) []string {
	if from, ok := peer.FromContext(stream.Context()); ok {
		if info, ok := from.AuthInfo.(credentials.TLSInfo); ok {
			return info.State.PeerCertificates[0].Subject.Organization
		}
	}

	return nil
}

// failure is one with every detail that a client can make something of.
func failure() error {
	refused, err := status.New(codes.ResourceExhausted, "too much at once").WithDetails(
		&errdetails.RetryInfo{RetryDelay: durationpb.New(1500 * 1e6)},
		&errdetails.ErrorInfo{Reason: "BUSY", Domain: "talos.dev"},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "id", Description: "is not a service"},
		}},
	)
	if err != nil {
		return err
	}

	return refused.Err()
}

func newMessage(desc protoreflect.MessageDescriptor) (proto.Message, error) {
	known, err := protoregistry.GlobalTypes.FindMessageByName(desc.FullName())
	if err != nil {
		return nil, err
	}

	return known.New().Interface(), nil
}
