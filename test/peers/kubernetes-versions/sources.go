package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// Package is one that was read, with what its names mean.
type Package struct {
	types *types.Package
	files []*ast.File
	info  *types.Info
}

// Sources reads packages from the folders of modules when they are first needed. What belongs to no
// known module is an empty package: what is asked here does not depend on it, and its errors are let pass.
type Sources struct {
	folders  map[string]string
	fileSet  *token.FileSet
	packages map[string]*Package
	unknown  map[string]*types.Package
}

func newSources(folders map[string]string) *Sources {
	return &Sources{folders, token.NewFileSet(), map[string]*Package{}, map[string]*types.Package{}}
}

// Import makes Sources an importer of go/types.
func (s *Sources) Import(name string) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if found := s.read(name); found != nil {
		return found.types, nil
	}
	if s.unknown[name] == nil {
		s.unknown[name] = types.NewPackage(name, path.Base(name))
		s.unknown[name].MarkComplete()
	}
	return s.unknown[name], nil
}

// Package reads one that has to be there.
func (s *Sources) Package(name string) *Package {
	found := s.read(name)
	if found == nil {
		fail(fmt.Errorf("no source of %s", name))
	}
	return found
}

func (s *Sources) has(name string) bool { return s.read(name) != nil }

func (s *Sources) read(name string) *Package {
	if known, ok := s.packages[name]; ok {
		return known
	}
	folder := s.folderOf(name)
	if folder == "" {
		return nil
	}
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	listed, err := context.ImportDir(folder, 0)
	if err != nil {
		s.packages[name] = nil
		return nil
	}
	read := &Package{info: &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	sort.Strings(listed.GoFiles)
	for _, file := range listed.GoFiles {
		parsed, err := parser.ParseFile(s.fileSet, filepath.Join(folder, file), nil, parser.SkipObjectResolution)
		if err != nil {
			fail(err)
		}
		read.files = append(read.files, parsed)
	}
	// Go knows no circles of imports, but this one may meet itself through an empty package.
	s.packages[name] = read
	read.types = types.NewPackage(name, listed.Name)
	config := types.Config{Importer: s, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(name, s.fileSet, read.files, read.info)
	if checked != nil {
		read.types = checked
	}
	return read
}

func (s *Sources) folderOf(name string) string {
	for module, folder := range s.folders {
		if name == module {
			return folder
		}
		if rest, ok := strings.CutPrefix(name, module+"/"); ok {
			return filepath.Join(folder, rest)
		}
	}
	return ""
}
