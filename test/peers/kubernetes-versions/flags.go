package main

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"sort"
	"strings"
)

// Entry is a function that adds flags: of a package, or of a type in it.
type entry struct{ pkg, receiver, name string }

const kubernetes = "k8s.io/kubernetes/"

// What each component calls to set up its flags. `flagsOf` knows what is common to all.
var entryPoints = map[string][]entry{
	"kube-apiserver":          {{kubernetes + "cmd/kube-apiserver/app/options", "ServerRunOptions", "Flags"}, globals, {kubernetes + "cmd/kube-apiserver/app/options", "", "AddCustomGlobalFlags"}},
	"kube-controller-manager": {{kubernetes + "cmd/kube-controller-manager/app/options", "KubeControllerManagerOptions", "Flags"}, globals},
	"kube-scheduler":          {{kubernetes + "cmd/kube-scheduler/app/options", "Options", "initFlags"}, globals},
	"kube-proxy":              {{kubernetes + "cmd/kube-proxy/app", "Options", "AddFlags"}, {kubernetes + "cmd/kube-proxy/app", "", "NewProxyCommand"}, globals},
	"kubelet":                 {{kubernetes + "cmd/kubelet/app/options", "KubeletFlags", "AddFlags"}, {kubernetes + "cmd/kubelet/app/options", "", "AddKubeletConfigFlags"}, {kubernetes + "cmd/kubelet/app/options", "", "AddGlobalFlags"}},
}

var globals = entry{"k8s.io/component-base/cli/globalflag", "", "AddGlobalFlags"}

// Methods of a set of flags that add one: IntVar, StringSliceVarP, DurationP, Var, ...
var addsFlag = regexp.MustCompile(`^(\w*Var|Bool|String|Int\d*|Uint\d*|Duration|Float\d+|StringSlice|StringArray|Count)(P|PF)?$`)

// A call that may add flags further down.
var leadsOn = regexp.MustCompile(`[Ff]lag|^[Rr]egister|^Bind`)

type walk struct {
	sources *Sources
	seen    map[*ast.FuncDecl]bool
	flags   map[string]bool
}

// flagsOf lists the flags of a component, as its own code adds them.
func flagsOf(sources *Sources, entries []entry) []string {
	// Whoever does not add the flags of logging gets them from the library that starts it.
	w := &walk{sources, map[*ast.FuncDecl]bool{}, map[string]bool{"version": true, "help": true, "v": true, "vmodule": true, "log-flush-frequency": true}}
	for _, each := range entries {
		found := sources.read(each.pkg)
		if found == nil {
			continue
		}
		w.declared(found, each.receiver, each.name)
	}
	names := make([]string, 0, len(w.flags))
	for name := range w.flags {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// declared follows a function of a package, or the method of that name of a type; of every type for "*".
func (w *walk) declared(in *Package, receiver, name string) {
	for _, file := range in.files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || function.Name.Name != name || function.Body == nil || w.seen[function] {
				continue
			}
			if of := receiverOf(function); receiver == of || (receiver == "*" && of != "") {
				w.seen[function] = true
				w.body(in, function.Body)
			}
		}
	}
}

func (w *walk) body(in *Package, body ast.Node) {
	ast.Inspect(body, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch callee := call.Fun.(type) {
		case *ast.Ident:
			if strings.HasPrefix(callee.Name, "register") {
				w.registered(in, call.Args)
			}
			if leadsOn.MatchString(callee.Name) {
				w.declared(in, "", callee.Name)
			}
		case *ast.SelectorExpr:
			w.selected(in, callee, call)
		}
		return true
	})
}

func (w *walk) selected(in *Package, callee *ast.SelectorExpr, call *ast.CallExpr) {
	name := callee.Sel.Name
	if name == "AddGoFlagSet" {
		// cAdvisor's, which it registers with Go's own set as it is loaded.
		w.flags["boot-id-file"], w.flags["machine-id-file"] = true, true
		return
	}
	if name == "Register" {
		w.registered(in, call.Args)
		return
	}
	if addsFlag.MatchString(name) && len(call.Args) >= 2 {
		// The name comes first, or after the variable.
		if !w.constant(in, call.Args[0]) && !w.constant(in, call.Args[1]) {
			w.formatted(in, call.Args[1])
		}
		return
	}
	if !leadsOn.MatchString(name) {
		return
	}
	if selection := in.info.Selections[callee]; selection != nil {
		w.method(selection)
		return
	}
	if used, ok := in.info.Uses[callee.Sel].(*types.Func); ok && used.Pkg() != nil {
		if found := w.sources.read(used.Pkg().Path()); found != nil {
			w.declared(found, "", name)
		}
	}
}

// A method is that of its type; of an interface, those of that name in its package.
func (w *walk) method(selection *types.Selection) {
	function, ok := selection.Obj().(*types.Func)
	if !ok || function.Pkg() == nil {
		return
	}
	found := w.sources.read(function.Pkg().Path())
	signature, isMethod := function.Type().(*types.Signature)
	if found == nil || !isMethod || signature.Recv() == nil {
		return
	}
	of := signature.Recv().Type()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	named, ok := of.(*types.Named)
	if !ok || types.IsInterface(of) {
		w.declared(found, "*", function.Name())
		return
	}
	w.declared(found, named.Obj().Name(), function.Name())
}

// A flag of the global set is added by its name: a constant, of a module too that is not read here and
// calls it as the flag is called.
func (w *walk) registered(in *Package, arguments []ast.Expr) {
	for _, argument := range arguments {
		if w.constant(in, argument) {
			return
		}
	}
	for _, argument := range arguments {
		if selector, ok := argument.(*ast.SelectorExpr); ok {
			w.flags[hyphenated(selector.Sel.Name)] = true
		}
	}
}

var startOfWord = regexp.MustCompile(`([a-z0-9])([A-Z])`)

func hyphenated(name string) string {
	return strings.ToLower(startOfWord.ReplaceAllString(name, "$1-$2"))
}

// Adds a flag whose name is a constant; components take hyphens for underscores.
func (w *walk) constant(in *Package, argument ast.Expr) bool {
	value := in.info.Types[argument].Value
	if value == nil || value.Kind() != constant.String || constant.StringVal(value) == "" {
		return false
	}
	w.flags[strings.ReplaceAll(constant.StringVal(value), "_", "-")] = true
	return true
}

// Both kinds of audit log have flags of the same names, which are put together: `audit-%s-mode`.
func (w *walk) formatted(in *Package, argument ast.Expr) {
	call, ok := argument.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return
	}
	format := in.info.Types[call.Args[0]].Value
	if format == nil || format.Kind() != constant.String || !strings.HasPrefix(constant.StringVal(format), "audit-%s-") {
		return
	}
	for _, kind := range []string{"log", "webhook"} {
		w.flags[strings.Replace(constant.StringVal(format), "%s", kind, 1)] = true
	}
}

func receiverOf(function *ast.FuncDecl) string {
	if function.Recv == nil || len(function.Recv.List) == 0 {
		return ""
	}
	of := function.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
