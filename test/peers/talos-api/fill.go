package main

import (
	"github.com/siderolabs/talos/pkg/machinery/api/common"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const deepest = 6

// fill gives every field of a message a value that is not its zero, and numbers that no float can hold. Of
// alternatives, each variant has another one.
func fill(message protoreflect.Message, variant, depth int) {
	switch value := message.Interface().(type) {
	case *common.Metadata:
		value.Hostname = "node"

		return
	case *timestamppb.Timestamp:
		value.Seconds, value.Nanos = 1_700_000_000, 500_000_000

		return
	case *durationpb.Duration:
		value.Seconds, value.Nanos = 90, 500_000_000

		return
	case *anypb.Any:
		packed, err := anypb.New(durationpb.New(1e9))
		if err != nil {
			panic(err)
		}

		proto.Merge(value, packed)

		return
	}

	fields := message.Descriptor().Fields()

	for i := range fields.Len() {
		field := fields.Get(i)

		if one := field.ContainingOneof(); one != nil && !one.IsSynthetic() {
			if one.Fields().Get(variant%one.Fields().Len()) != field {
				continue
			}
		}

		fillField(message, field, variant, depth)
	}
}

func fillField(message protoreflect.Message, field protoreflect.FieldDescriptor, variant, depth int) {
	isMessage := field.Kind() == protoreflect.MessageKind
	if isMessage && depth >= deepest {
		return
	}

	switch {
	case field.IsMap():
		value := message.Mutable(field).Map()
		value.Set(protoreflect.ValueOfString("key").MapKey(), scalar(field.MapValue()))
	case field.IsList() && isMessage:
		list := message.Mutable(field).List()
		// Answers have one message for each node, and one node was asked.
		count := 2
		if depth == 0 {
			count = 1
		}

		for range count {
			fill(list.AppendMutable().Message(), variant, depth+1)
		}
	case field.IsList():
		list := message.Mutable(field).List()
		list.Append(scalar(field))
		list.Append(scalar(field))
	case isMessage:
		fill(message.Mutable(field).Message(), variant, depth+1)
	default:
		message.Set(field, scalar(field))
	}
}

func scalar(field protoreflect.FieldDescriptor) protoreflect.Value {
	number := uint64(field.Number())

	switch field.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		values := field.Enum().Values()

		return protoreflect.ValueOfEnum(values.Get(values.Len() - 1).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(-1000 - int32(number))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(4_000_000_000 + uint32(number))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(-9_007_199_254_740_993 - int64(number))
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(18_000_000_000_000_000_001 + number)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(0.1 + float64(number))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(string(field.Name()) + " ü")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte{0, 1, 255, byte(number)})
	default:
		panic("no value for a " + field.Kind().String())
	}
}

// attribute says whose an answer is, as apid does for several nodes: one message for each. The node at
// 10.0.0.9 has failed.
func attribute(message protoreflect.Message, nodes []string, variant int) {
	messages := message.Descriptor().Fields().ByName("messages")
	if messages == nil {
		setMetadata(message, nodes[variant%len(nodes)])

		return
	}

	list := message.Mutable(messages).List()

	for i, node := range nodes {
		if i >= list.Len() {
			fill(list.AppendMutable().Message(), variant, 1)
		}

		setMetadata(list.Get(i).Message(), node)
	}
}

func setMetadata(message protoreflect.Message, node string) {
	value := &common.Metadata{Hostname: node}

	if node == "10.0.0.9" {
		value.Error = "rpc error: code = Unavailable desc = no route to host"
		value.Status = &rpcstatus.Status{Code: int32(codes.Unavailable), Message: "no route to host"}
	}

	message.Set(message.Descriptor().Fields().ByName("metadata"), protoreflect.ValueOfMessage(value.ProtoReflect()))
}
