package main

import (
	"fmt"
	"go/types"
	"reflect"
	"sort"
	"strings"
)

// kubeletConfigOf lists the fields of the kubelet's configuration, those of structs in it behind dots; the
// elements of a list are `[]`, the values of a mapping `*`.
func kubeletConfigOf(sources *Sources) []string {
	const name = "k8s.io/kubelet/config/v1beta1"
	object := sources.Package(name).types.Scope().Lookup("KubeletConfiguration")
	if object == nil {
		fail(fmt.Errorf("no KubeletConfiguration in %s", name))
	}
	found := map[string]bool{}
	pathsBelow(object.Type(), "", found)
	paths := make([]string, 0, len(found))
	for path := range found {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	return paths
}

func pathsBelow(typ types.Type, path string, found map[string]bool) {
	switch typ := types.Unalias(typ).(type) {
	case *types.Pointer:
		pathsBelow(typ.Elem(), path, found)
	case *types.Slice:
		pathsBelow(typ.Elem(), path+"[]", found)
	case *types.Map:
		pathsBelow(typ.Elem(), path+".*", found)
	case *types.Named:
		// What reads itself is one value.
		if method, _, _ := types.LookupFieldOrMethod(types.NewPointer(typ), true, typ.Obj().Pkg(), "UnmarshalJSON"); method == nil {
			pathsBelow(typ.Underlying(), path, found)
		}
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
			found[below] = true
			pathsBelow(field.Type(), below, found)
		}
	}
}
