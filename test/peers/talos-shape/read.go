package main

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

// readConfig answers with all that the controllers of a node can learn of a config: the value of every accessor of
// machinery's `config.Config`, and of every accessor of what those return, which stand over both shapes.
func readConfig(asked request) (answer, error) {
	provider, err := configloader.NewFromBytes([]byte(asked.Config))
	if err != nil {
		return answer{}, err
	}

	var read config.Config = provider

	return answer{Reading: valueOf(reflect.ValueOf(&read).Elem(), 0)}, nil
}

// deepest ends what would go round in circles.
const deepest = 60

func valueOf(value reflect.Value, depth int) (found any) {
	if !value.IsValid() || depth > deepest {
		return nil
	}

	defer func() {
		// Some accessors take what a controller has looked at before.
		if caught := recover(); caught != nil {
			found = "panic"
		}
	}()

	switch value.Kind() { //nolint:exhaustive
	case reflect.Interface:
		if value.IsNil() {
			return nil
		}

		if value.Type().NumMethod() == 0 {
			return valueOf(value.Elem(), depth+1)
		}

		return accessorsOf(value, depth)
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}

		if text, ok := asText(value.Interface()); ok {
			return text
		}

		return valueOf(value.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return fmt.Sprintf("%s", value.Interface())
		}

		list := make([]any, 0, value.Len())
		for i := range value.Len() {
			list = append(list, valueOf(value.Index(i), depth+1))
		}

		return list
	case reflect.Map:
		found := map[string]any{}
		for _, key := range value.MapKeys() {
			found[fmt.Sprint(key.Interface())] = valueOf(value.MapIndex(key), depth+1)
		}

		return found
	case reflect.Struct:
		if text, ok := asText(value.Interface()); ok {
			return text
		}

		// Of an optional.Optional.
		if get := value.MethodByName("ValueOrZero"); get.IsValid() {
			return map[string]any{
				"isSet": value.MethodByName("IsPresent").Call(nil)[0].Bool(),
				"value": resultOf(get, depth),
			}
		}

		found := map[string]any{}

		for i := range value.NumField() {
			if field := value.Type().Field(i); field.IsExported() {
				found[field.Name] = valueOf(value.Field(i), depth+1)
			}
		}

		return found
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return nil
	default:
		return value.Interface()
	}
}

func asText(value any) (string, bool) {
	switch known := value.(type) {
	case fmt.Stringer:
		return known.String(), true
	case encoding.TextMarshaler:
		text, err := known.MarshalText()

		return string(text), err == nil
	default:
		return "", false
	}
}

// accessorsOf calls every method of an interface that asks for nothing.
func accessorsOf(value reflect.Value, depth int) any {
	found := map[string]any{}

	for i := range value.Type().NumMethod() {
		method := value.Type().Method(i)
		if !method.IsExported() || method.Type.NumIn() > 0 || method.Type.NumOut() == 0 ||
			strings.HasSuffix(method.Name, "Signal") {
			continue
		}

		found[method.Name] = resultOf(value.Method(i), depth)
	}

	return found
}

func resultOf(method reflect.Value, depth int) (found any) {
	defer func() {
		if caught := recover(); caught != nil {
			found = "panic"
		}
	}()

	results := method.Call(nil)

	return valueOf(results[0], depth+1)
}
