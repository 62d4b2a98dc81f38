import { type ESTree, parseSync, Visitor } from 'vite'

/** All names that a file gives: of constants, functions, parameters, types, classes, methods and fields. */
export function declaredNames(file: string, text: string): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (...nodes: readonly (ESTree.Node | null)[]) => {
    for (const name of nodes.flatMap(namesIn)) names.add(name)
  }
  const ofFunction = ({ id, params }: ESTree.Function | ESTree.ArrowFunctionExpression) =>
    add(id, ...params)
  const ofMember = ({ key }: { readonly key: ESTree.Node }) => add(key)
  const ofType = ({ id }: { readonly id: ESTree.Node | null }) => add(id)
  new Visitor({
    VariableDeclarator: ofType,
    FunctionDeclaration: ofFunction,
    FunctionExpression: ofFunction,
    ArrowFunctionExpression: ofFunction,
    ClassDeclaration: ofType,
    TSInterfaceDeclaration: ofType,
    TSTypeAliasDeclaration: ofType,
    MethodDefinition: ofMember,
    PropertyDefinition: ofMember,
    Property: ofMember,
    TSPropertySignature: ofMember,
    TSMethodSignature: ofMember,
  }).visit(parseSync(file, text).program)
  return names
}

/** The names that a pattern binds, or that a key is. */
function namesIn(node: ESTree.Node | null): string[] {
  switch (node?.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return [node.name]
    case 'ObjectPattern':
      return node.properties.flatMap(namesIn)
    case 'Property':
      return namesIn(node.value)
    case 'ArrayPattern':
      return node.elements.flatMap(namesIn)
    case 'AssignmentPattern':
      return namesIn(node.left)
    case 'RestElement':
      return namesIn(node.argument)
    case 'TSParameterProperty':
      return namesIn(node.parameter)
    default:
      return []
  }
}
