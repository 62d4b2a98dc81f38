// What a machine config may hold: every document kind of the registry, every field of its structs, and the
// names that enumerations take.
package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"reflect"
	"strings"
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/siderolabs/talos/pkg/machinery/config/config"
)

type documentRegistry struct {
	_          sync.Mutex
	registered map[string]func(version string) config.Document
}

// The registry lies in an internal package, and has no list of what is in it.
//
//go:linkname registry github.com/siderolabs/talos/pkg/machinery/config/internal/registry.registry
var registry *documentRegistry

type table struct {
	Documents map[string]document          `json:"documents"`
	Structs   map[string]map[string]string `json:"structs"`
	Enums     map[string]enum              `json:"enums"`
}

type enum struct {
	Names []string `json:"names"`
	// AnyCase is whether upper case is taken for lower case.
	AnyCase bool `json:"anyCase"`
}

type document struct {
	Type  string `json:"type"`
	Named bool   `json:"named"`
	// Excludes are kinds of which there may be none of the same name beside it.
	Excludes []string `json:"excludes,omitempty"`
}

var out = table{
	Documents: map[string]document{},
	Structs:   map[string]map[string]string{},
	Enums:     map[string]enum{},
}

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	anything        = reflect.TypeFor[any]()
)

// writeFields writes the table as one JSON object.
func writeFields() error {
	for kind, make := range registry.registered {
		made := make("v1alpha1")
		if made == nil {
			return fmt.Errorf("%s has another version than v1alpha1", kind)
		}

		_, named := made.(config.NamedDocument)
		if kind == "v1alpha1" {
			kind = ""
		}

		var excludes []string
		if conflicting, ok := made.(interface{ ConflictsWithKinds() []string }); ok {
			excludes = conflicting.ConflictsWithKinds()
		}

		out.Documents[kind] = document{Type: kindOf(reflect.TypeOf(made)), Named: named, Excludes: excludes}
	}

	return json.NewEncoder(os.Stdout).Encode(out)
}

// kindOf says of what kind a value is: []x a list, {}x a map, a word of Go's a scalar, (x) a type that reads
// itself, anything else a struct or an enumeration of the table.
func kindOf(typ reflect.Type) string {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}

	name := path.Base(typ.PkgPath()) + "." + typ.Name()

	_, readsYAML := reflect.PointerTo(typ).MethodByName("UnmarshalYAML")
	readsText := reflect.PointerTo(typ).Implements(textUnmarshaler)

	switch {
	case typ == anything:
		return "any"
	case readsText && isInteger(typ) && describeEnum(name, typ):
		return name
	case readsText:
		return "(" + name + ")"
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8:
		return "(base64)"
	case readsYAML && !readsItsParts(typ):
		return "(" + name + ")"
	}

	switch typ.Kind() {
	case reflect.Slice, reflect.Array:
		return "[]" + kindOf(typ.Elem())
	case reflect.Map:
		return "{}" + kindOf(typ.Elem())
	case reflect.Struct:
		return describeStruct(name, typ)
	case reflect.Int64:
		if name == "time.Duration" {
			return "(time.Duration)"
		}
	}

	return typ.Kind().String()
}

// readsItsParts tells of the types that read themselves, but from a list or a mapping of what they hold.
func readsItsParts(typ reflect.Type) bool {
	switch typ.Kind() {
	case reflect.Slice:
		return true
	case reflect.Struct:
		return strings.HasPrefix(typ.Name(), "PEMEncoded")
	default:
		return false
	}
}

// describeStruct puts the fields of a struct into the table; one that is a free map inside is that map.
func describeStruct(name string, typ reflect.Type) string {
	if _, known := out.Structs[name]; known {
		return name
	}

	fields := map[string]string{}
	out.Structs[name] = fields

	for _, field := range reflect.VisibleFields(typ) {
		tag, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")

		if strings.Contains(options, "inline") {
			if field.Type.Kind() == reflect.Map {
				delete(out.Structs, name)

				return kindOf(field.Type)
			}

			continue
		}

		if tag == "-" || !field.IsExported() {
			continue
		}

		if tag == "" {
			tag = strings.ToLower(field.Name)
		}

		fields[tag] = kindOf(field.Type)
	}

	return name
}

func isInteger(typ reflect.Type) bool {
	return reflect.Zero(typ).CanInt() || reflect.Zero(typ).CanUint()
}

// describeEnum finds the names that an enumeration takes by asking each number for its own.
func describeEnum(name string, typ reflect.Type) bool {
	if _, known := out.Enums[name]; known {
		return true
	}

	found := enum{AnyCase: true}

	// Those of more than a byte are numbers of protocols.
	numbers := 1 << 8
	if typ.Size() > 1 {
		numbers = 1 << 16
	}

	for number := range numbers {
		value := reflect.New(typ).Elem()
		if value.CanInt() {
			value.SetInt(int64(number))
		} else {
			value.SetUint(uint64(number))
		}

		text := fmt.Sprint(value.Interface())
		if !readsAs(text, value) {
			continue
		}

		found.Names = append(found.Names, text)
		found.AnyCase = found.AnyCase && readsAs(strings.ToUpper(text), value)
	}

	if len(found.Names) == 0 {
		return false
	}

	out.Enums[name] = found

	return true
}

func readsAs(text string, value reflect.Value) bool {
	read := reflect.New(value.Type())
	unmarshaler, ok := read.Interface().(encoding.TextUnmarshaler)

	return ok && unmarshaler.UnmarshalText([]byte(text)) == nil && read.Elem().Equal(value)
}
