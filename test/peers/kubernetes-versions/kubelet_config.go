package main

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// kubeletConfigOf lists the fields of the kubelet's configuration with what they take, those of structs in it behind
// dots; the elements of a list are `[]`, the values of a mapping `*`.
func kubeletConfigOf(sources *Sources) map[string]string {
	const name = "k8s.io/kubelet/config/v1beta1"
	object := sources.Package(name).types.Scope().Lookup("KubeletConfiguration")
	if object == nil {
		fail(fmt.Errorf("no KubeletConfiguration in %s", name))
	}
	found := map[string]string{}
	pathsBelow(object.Type(), "", found)
	return found
}

// pathsBelow adds the fields below a path, and names what stands at it: `int32`, `[]string`, `map object`, or what
// reads itself by the name of its type.
func pathsBelow(typ types.Type, path string, found map[string]string) string {
	switch typ := types.Unalias(typ).(type) {
	case *types.Pointer:
		return pathsBelow(typ.Elem(), path, found)
	case *types.Slice:
		return "[]" + pathsBelow(typ.Elem(), path+"[]", found)
	case *types.Map:
		return "map " + pathsBelow(typ.Elem(), path+".*", found)
	case *types.Named:
		// What reads itself is one value.
		if method, _, _ := types.LookupFieldOrMethod(types.NewPointer(typ), true, typ.Obj().Pkg(), "UnmarshalJSON"); method != nil {
			return typ.Obj().Name()
		}
		return pathsBelow(typ.Underlying(), path, found)
	case *types.Struct:
		for index := range typ.NumFields() {
			field := typ.Field(index)
			tag, options, _ := strings.Cut(reflect.StructTag(typ.Tag(index)).Get("json"), ",")
			if strings.Contains(options, "inline") || (tag == "" && field.Anonymous()) {
				pathsBelow(field.Type(), path, found)
				continue
			}
			if tag == "" || tag == "-" {
				continue
			}
			below := strings.TrimPrefix(path+"."+tag, ".")
			found[below] = pathsBelow(field.Type(), below, found)
		}
		return "object"
	default:
		return typ.String()
	}
}
