package main

import (
	"go/ast"
	"go/token"
	"sort"
)

const etcdMain = "go.etcd.io/etcd/server/v3/etcdmain"

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
