package main

import (
	"go/ast"
	"go/token"
	"sort"
)

const (
	etcdMain  = "go.etcd.io/etcd/server/v3/etcdmain"
	etcdEmbed = "go.etcd.io/etcd/server/v3/embed"
)

// etcdFlagsOf lists the flags of etcd, those among them that it takes and ignores.
func etcdFlagsOf(sources *Sources) []string {
	in := sources.Package(etcdMain)
	w := &walk{sources, map[*ast.FuncDecl]bool{}, map[string]bool{"help": true}}
	w.declared(in, "", "newConfig")
	for _, file := range in.files {
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.VAR {
				continue
			}
			for _, spec := range general.Specs {
				w.ignored(in, spec.(*ast.ValueSpec))
			}
		}
	}
	w.featureGates(sources.Package(etcdEmbed))
	names := make([]string, 0, len(w.flags))
	for name := range w.flags {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (w *walk) ignored(in *Package, spec *ast.ValueSpec) {
	for index, value := range spec.Values {
		list, ok := value.(*ast.CompositeLit)
		if !ok || spec.Names[index].Name != "ignored" {
			continue
		}
		for _, element := range list.Elts {
			w.constant(in, element)
		}
	}
}

// featureGates adds the flag of the feature gates (3.6 and later): it is declared behind an interface, by the name
// that this constant has.
func (w *walk) featureGates(in *Package) {
	for _, file := range in.files {
		for _, declaration := range file.Decls {
			general, ok := declaration.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST {
				continue
			}
			for _, spec := range general.Specs {
				values := spec.(*ast.ValueSpec)
				for index, name := range values.Names {
					if name.Name == "ServerFeatureGateFlagName" && index < len(values.Values) {
						w.constant(in, values.Values[index])
					}
				}
			}
		}
	}
}
