package main

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
)

// Where feature gates are declared; one registry in each binary knows all of them.
var gatePackages = []string{
	kubernetes + "pkg/features",
	"k8s.io/apiserver/pkg/features",
	"k8s.io/apiextensions-apiserver/pkg/features",
	"k8s.io/client-go/features",
	"k8s.io/component-base/logs/api/v1",
	"k8s.io/component-base/metrics/features",
	"k8s.io/component-base/zpages/features",
	"k8s.io/controller-manager/pkg/features",
	"k8s.io/cloud-provider/features",
	"k8s.io/kube-aggregator/pkg/features",
}

// gatesOf lists the gates that a minor knows, with the value that one is locked to.
func gatesOf(sources *Sources, minor int) map[string]string {
	gates := map[string]string{}
	for _, name := range gatePackages {
		if !sources.has(name) {
			continue
		}
		in := sources.Package(name)
		for _, file := range in.files {
			ast.Inspect(file, func(node ast.Node) bool {
				if entry, ok := node.(*ast.KeyValueExpr); ok {
					if gate := gateOf(in, entry.Key); gate != "" {
						addGate(gates, gate, lockOf(in, entry.Value, minor))
						return false
					}
				}
				return true
			})
		}
	}
	// What a registry of every component adds by itself.
	for _, all := range []string{"AllAlpha", "AllBeta"} {
		addGate(gates, all, "")
	}
	return gates
}

func addGate(gates map[string]string, name, lock string) {
	if gates[name] == "" {
		gates[name] = lock
	}
}

// The name of a gate, where an expression is one: a constant of the type Feature.
func gateOf(in *Package, key ast.Expr) string {
	value := in.info.Types[key]
	if value.Value == nil || value.Value.Kind() != constant.String {
		return ""
	}
	named, ok := value.Type.(*types.Named)
	if !ok || named.Obj().Name() != "Feature" {
		return ""
	}
	return constant.StringVal(value.Value)
}

// The value that a gate is locked to in a minor, or "": of the newest specification that is not newer.
func lockOf(in *Package, value ast.Expr, minor int) string {
	literal, ok := value.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	lock := ""
	for _, element := range literal.Elts {
		specification, isList := element.(*ast.CompositeLit)
		if !isList {
			return lockIn(in, literal)
		}
		if versionOf(in, specification) <= minor {
			lock = lockIn(in, specification)
		}
	}
	return lock
}

func lockIn(in *Package, literal *ast.CompositeLit) string {
	fields := fieldsOf(literal)
	if !isTrue(in, fields["LockToDefault"]) {
		return ""
	}
	return strconv.FormatBool(isTrue(in, fields["Default"]))
}

func isTrue(in *Package, value ast.Expr) bool {
	if value == nil {
		return false
	}
	known := in.info.Types[value].Value
	return known != nil && known.Kind() == constant.Bool && constant.BoolVal(known)
}

// The minor of `Version: version.MustParse("1.31")`.
func versionOf(in *Package, literal *ast.CompositeLit) int {
	minor := 0
	if value := fieldsOf(literal)["Version"]; value != nil {
		ast.Inspect(value, func(node ast.Node) bool {
			text, ok := node.(*ast.BasicLit)
			if !ok {
				return true
			}
			parts := strings.Split(strings.Trim(text.Value, `"`), ".")
			if len(parts) == 2 {
				minor, _ = strconv.Atoi(parts[1])
			} else {
				minor, _ = strconv.Atoi(text.Value)
			}
			return true
		})
	}
	return minor
}

func fieldsOf(literal *ast.CompositeLit) map[string]ast.Expr {
	fields := map[string]ast.Expr{}
	for _, element := range literal.Elts {
		if field, ok := element.(*ast.KeyValueExpr); ok {
			if name, ok := field.Key.(*ast.Ident); ok {
				fields[name.Name] = field.Value
			}
		}
	}
	return fields
}
