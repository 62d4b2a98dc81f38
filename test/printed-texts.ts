import { basename } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

export interface SourceFile {
  readonly file: string
  readonly text: string
}

/** What the program puts into a text while it runs is `…`. */
export interface PrintedText {
  readonly file: string
  readonly text: string
}

export interface PrintedTexts {
  /** Of errors, findings and diagnoses. */
  readonly messages: readonly PrintedText[]
  readonly hints: readonly PrintedText[]
}

/** Which arguments of a call are printed. */
interface Maker {
  readonly message?: number
  readonly hint?: number
}

/** By the name of a function, as a file knows it. */
type Makers = ReadonlyMap<string, Maker>

interface ParsedFile {
  readonly file: string
  readonly program: ESTree.Program
  /** By the name of a constant, a function or a method (`this.name`): what it may be, or return. */
  readonly values: ReadonlyMap<string, readonly ESTree.Node[]>
  /** What functions are called that are the value of a constant, a method or the constructor of a class. */
  readonly nameOf: ReadonlyMap<ESTree.Node, string>
  /** Names that it imports: each with the file that it comes from, as `cluster-error.ts ClusterError`. */
  readonly imports: readonly (readonly [name: string, from: string])[]
}

/** Where all errors are made. Functions that pass a parameter of theirs on to one that is known are found. */
const roots: Makers = new Map([['cluster-error.ts ClusterError', { message: 1 }]])

/** Rounds in which makers are found: one that calls another that calls another. */
const rounds = 3

/** What a file that makes any names. */
const namesThem = /\b(?:ClusterError|hint|severity|verdict)\b/

/** The texts of all errors, findings, diagnoses and hints that these files make. */
export function printedTexts(sources: readonly SourceFile[]): PrintedTexts {
  const isFirst = ({ text }: SourceFile) => namesThem.test(text)
  const first = sources.filter(isFirst).map(parseFile)
  const places = [...findAllMakers(first).keys()].map((key) => `/${key.split(' ')[0]}'`)
  const others = sources.filter(
    (source) => !isFirst(source) && places.some((place) => source.text.includes(place)),
  )
  const files = [...first, ...others.map(parseFile)]
  const known = findAllMakers(files)
  const all = allValues(files)
  const texts = files.map((file) => textsOf(file, makersIn(file, known), all))
  return {
    messages: texts.flatMap(({ messages }) => messages),
    hints: texts.flatMap(({ hints }) => hints),
  }
}

function findAllMakers(files: readonly ParsedFile[]): Makers {
  let known = roots
  for (let round = 0; round < rounds; round += 1) {
    const found = files.flatMap((file) =>
      [...findMakers(file, makersIn(file, known))].map(
        ([name, maker]) => [`${basename(file.file)} ${name}`, maker] as const,
      ),
    )
    known = new Map([...roots, ...found])
  }
  return known
}

/** Its own, and those that it imports. */
function makersIn({ file, imports }: ParsedFile, known: Makers): Makers {
  const prefix = `${basename(file)} `
  const own = [...known]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, maker]) => [key.slice(prefix.length), maker] as const)
  const imported = imports.flatMap(([name, from]) => {
    const maker = known.get(from)
    return maker ? [[name, maker] as const] : []
  })
  return new Map([...own, ...imported])
}

function parseFile({ file, text }: SourceFile): ParsedFile {
  const { program } = parseSync(file, text)
  const values = new Map<string, ESTree.Node[]>()
  const add = (name: string, value: ESTree.Node) =>
    values.set(name, [...(values.get(name) ?? []), value])
  const imports: [string, string][] = []
  const nameOf = new Map<ESTree.Node, string>()
  const inside: (string | undefined)[] = []
  const enter = (node: ESTree.Node) => void inside.push(nameOf.get(node))
  const leave = () => void inside.pop()
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || !init) return
      add(id.name, init)
      nameOf.set(init, id.name)
    },
    ClassDeclaration({ id, body }) {
      for (const member of body.body) {
        if (member.type !== 'MethodDefinition' || !id) continue
        const { key, kind, value } = member
        if (kind === 'constructor') nameOf.set(value, id.name)
        else if ('name' in key && typeof key.name === 'string')
          nameOf.set(value, `this.${key.name}`)
      }
    },
    ImportDeclaration({ source, specifiers }) {
      for (const { local } of specifiers) {
        imports.push([local.name, `${basename(source.value)} ${local.name}`])
      }
    },
    FunctionDeclaration: ({ id }) => void inside.push(id?.name),
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    ReturnStatement({ argument }) {
      const name = inside.at(-1)
      if (name !== undefined && argument) add(name, argument)
    },
  }).visit(program)
  return { file, program, values, nameOf, imports }
}

/** The functions of a file that pass a parameter of theirs on as a message or a hint. */
function findMakers({ program, nameOf }: ParsedFile, known: Makers): Makers {
  const found = new Map<string, Maker>()
  const functions: (ESTree.Function | ESTree.ArrowFunctionExpression)[] = []
  const supers: (string | undefined)[] = []
  const note = (printed: Printed) => {
    const own = functions.at(-1)
    const name = own && (own.id?.name ?? nameOf.get(own))
    if (!own || name === undefined) return
    const indexOf = (node: ESTree.Node | undefined) =>
      own.params.findIndex(
        (parameter) =>
          node?.type === 'Identifier' &&
          parameter.type === 'Identifier' &&
          parameter.name === node.name,
      )
    const [message, hint] = [indexOf(printed.message), indexOf(printed.hint)]
    if (message < 0 && hint < 0) return
    found.set(name, {
      ...found.get(name),
      ...(message >= 0 && { message }),
      ...(hint >= 0 && { hint }),
    })
  }
  const enter = (node: ESTree.Function | ESTree.ArrowFunctionExpression) =>
    void functions.push(node)
  const leave = () => void functions.pop()
  new Visitor({
    ClassDeclaration: ({ superClass }) => void supers.push(nameIn(superClass)),
    'ClassDeclaration:exit': () => void supers.pop(),
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: (node) => note(printedBy(node, known, supers.at(-1))),
    NewExpression: (node) => note(printedBy(node, known)),
    ObjectExpression: (node) => note(printedByObject(node)),
  }).visit(program)
  return found
}

interface Printed {
  readonly message?: ESTree.Node | undefined
  readonly hint?: ESTree.Node | undefined
}

/** A finding has a severity and a diagnosis a verdict. */
function printedByObject(node: ESTree.ObjectExpression): Printed {
  const isReported = propertyOf(node, 'severity') ?? propertyOf(node, 'verdict')
  return {
    message: isReported && propertyOf(node, 'message'),
    hint: propertyOf(node, 'hint') ?? (isReported && propertyOf(node, 'fix')),
  }
}

function printedBy(
  { callee, arguments: given }: ESTree.CallExpression | ESTree.NewExpression,
  known: Makers,
  superName?: string,
): Printed {
  const name = callee.type === 'Super' ? superName : nameIn(callee)
  const maker = name === undefined ? undefined : known.get(name)
  if (!maker) return {}
  const context = given.find((argument) => argument.type === 'ObjectExpression')
  const hint = maker.hint === undefined ? context && propertyOf(context, 'hint') : given[maker.hint]
  return { message: maker.message === undefined ? undefined : given[maker.message], hint }
}

/** The name under which a file knows what is called: `name`, or `this.name` for a method of its own. */
function nameIn(node: ESTree.Node | null | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name
  if (node?.type !== 'MemberExpression' || node.object.type !== 'ThisExpression') return undefined
  const { property } = node
  return 'name' in property && typeof property.name === 'string' && !node.computed
    ? `this.${property.name}`
    : undefined
}

function propertyOf(
  { properties }: ESTree.ObjectExpression,
  name: string,
): ESTree.Node | undefined {
  return properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name
      ? [property.value]
      : [],
  )[0]
}

function textsOf(parsed: ParsedFile, known: Makers, all: AllValues): PrintedTexts {
  const messages: PrintedText[] = []
  const hints: PrintedText[] = []
  const note = (to: PrintedText[], node: ESTree.Node | undefined) => {
    for (const text of node ? textsIn(node, parsed, all) : []) to.push({ file: parsed.file, text })
  }
  const supers: (string | undefined)[] = []
  const call = (node: ESTree.CallExpression | ESTree.NewExpression) => {
    const { message, hint } = printedBy(node, known, supers.at(-1))
    note(messages, message)
    // Hints in the context of a call are properties, found below.
    if (hint && node.arguments.some((argument) => argument === hint)) note(hints, hint)
  }
  new Visitor({
    ClassDeclaration: ({ superClass }) => void supers.push(nameIn(superClass)),
    'ClassDeclaration:exit': () => void supers.pop(),
    CallExpression: call,
    NewExpression: call,
    ObjectExpression(node) {
      const { message, hint } = printedByObject(node)
      note(messages, message)
      note(hints, hint)
    },
  }).visit(parsed.program)
  return { messages, hints }
}

/** By a file and a name in it, as `cluster-error.ts ClusterError`: who has it. */
type AllValues = ReadonlyMap<string, ParsedFile>

function allValues(files: readonly ParsedFile[]): AllValues {
  return new Map(
    files.flatMap((file) =>
      [...file.values.keys()].map((name) => [`${basename(file.file)} ${name}`, file] as const),
    ),
  )
}

/** All texts that an expression may be, as far as its file shows, and those that it imports and that make texts too. */
function textsIn(
  node: ESTree.Node,
  file: ParsedFile,
  all: AllValues,
  seen: readonly ESTree.Node[] = [],
): string[] {
  if (seen.includes(node)) return []
  const inside = (one: ESTree.Node) => textsIn(one, file, all, [...seen, node])
  const named = (name: string): string[] => {
    const own = file.values.get(name)
    if (own) return own.flatMap(inside)
    const [, from = ''] = file.imports.find(([local]) => local === name) ?? []
    const owner = all.get(from)
    const values = owner?.values.get(from.split(' ')[1] ?? '') ?? []
    return values.flatMap((one) => (owner ? textsIn(one, owner, all, [...seen, node]) : []))
  }
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' && node.value !== '' ? [node.value] : []
    case 'TemplateLiteral':
      return [node.quasis.map(({ value }) => value.cooked).join('…')]
    case 'ConditionalExpression':
      return [...inside(node.consequent), ...inside(node.alternate)]
    case 'LogicalExpression':
      return [...inside(node.left), ...inside(node.right)]
    case 'ParenthesizedExpression':
      return inside(node.expression)
    case 'ChainExpression':
      return inside(node.expression)
    case 'Identifier':
      return named(node.name)
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement' ? [] : inside(node.body)
    case 'CallExpression':
      return named(nameIn(node.callee) ?? '')
    case 'MemberExpression':
      return node.computed ? inside(node.object) : []
    case 'ObjectExpression':
      return node.properties.flatMap((property) =>
        property.type === 'Property' ? inside(property.value) : [],
      )
    default:
      return []
  }
}
