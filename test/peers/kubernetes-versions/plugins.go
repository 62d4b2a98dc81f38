package main

import (
	"go/ast"
	"go/constant"
	"sort"
)

// admissionPluginsOf lists the plugins that the API server can be told to enable or disable.
func admissionPluginsOf(sources *Sources) []string {
	in := sources.Package(kubernetes + "pkg/kubeapiserver/options")
	names := map[string]bool{}
	for _, file := range in.files {
		ast.Inspect(file, func(node ast.Node) bool {
			list, ok := node.(*ast.ValueSpec)
			if !ok || len(list.Names) != 1 || list.Names[0].Name != "AllOrderedPlugins" {
				return true
			}
			for _, value := range list.Values {
				if literal, ok := value.(*ast.CompositeLit); ok {
					for _, element := range literal.Elts {
						if known := in.info.Types[element].Value; known != nil {
							names[constant.StringVal(known)] = true
						}
					}
				}
			}
			return false
		})
	}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	return sorted
}
