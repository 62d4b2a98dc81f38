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
  /** By the name of a constant or a function: what it may be, or return. */
  readonly values: ReadonlyMap<string, readonly ESTree.Node[]>
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
  const texts = files.map((file) => textsOf(file, makersIn(file, known)))
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
  const inside: (string | undefined)[] = []
  const leave = () => void inside.pop()
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) add(id.name, init)
    },
    ImportDeclaration({ source, specifiers }) {
      for (const { local } of specifiers) {
        imports.push([local.name, `${basename(source.value)} ${local.name}`])
      }
    },
    FunctionDeclaration: ({ id }) => void inside.push(id?.name),
    'FunctionDeclaration:exit': leave,
    FunctionExpression: () => void inside.push(undefined),
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: () => void inside.push(undefined),
    'ArrowFunctionExpression:exit': leave,
    ReturnStatement({ argument }) {
      const name = inside.at(-1)
      if (name !== undefined && argument) add(name, argument)
    },
  }).visit(program)
  return { file, program, values, imports }
}

/** The functions of a file that pass a parameter of theirs on as a message or a hint. */
function findMakers({ program }: ParsedFile, known: Makers): Makers {
  const found = new Map<string, Maker>()
  const functions: ESTree.Function[] = []
  const note = (printed: Printed) => {
    const own = functions.at(-1)
    if (!own?.id) return
    const indexOf = (node: ESTree.Node | undefined) =>
      own.params.findIndex(
        (parameter) =>
          node?.type === 'Identifier' &&
          parameter.type === 'Identifier' &&
          parameter.name === node.name,
      )
    const [message, hint] = [indexOf(printed.message), indexOf(printed.hint)]
    if (message < 0 && hint < 0) return
    found.set(own.id.name, {
      ...found.get(own.id.name),
      ...(message >= 0 && { message }),
      ...(hint >= 0 && { hint }),
    })
  }
  new Visitor({
    FunctionDeclaration: (node) => void functions.push(node),
    'FunctionDeclaration:exit': () => void functions.pop(),
    CallExpression: (node) => note(printedBy(node, known)),
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
): Printed {
  const maker = callee.type === 'Identifier' ? known.get(callee.name) : undefined
  if (!maker) return {}
  const context = given.find((argument) => argument.type === 'ObjectExpression')
  const hint = maker.hint === undefined ? context && propertyOf(context, 'hint') : given[maker.hint]
  return { message: maker.message === undefined ? undefined : given[maker.message], hint }
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

function textsOf(parsed: ParsedFile, known: Makers): PrintedTexts {
  const messages: PrintedText[] = []
  const hints: PrintedText[] = []
  const note = (to: PrintedText[], node: ESTree.Node | undefined) => {
    for (const text of node ? textsIn(node, parsed.values) : [])
      to.push({ file: parsed.file, text })
  }
  const call = (node: ESTree.CallExpression | ESTree.NewExpression) => {
    const { message, hint } = printedBy(node, known)
    note(messages, message)
    // Hints in the context of a call are properties, found below.
    if (hint && node.arguments.some((argument) => argument === hint)) note(hints, hint)
  }
  new Visitor({
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

/** All texts that an expression may be, as far as its file shows. */
function textsIn(
  node: ESTree.Node,
  values: ReadonlyMap<string, readonly ESTree.Node[]>,
  seen: readonly ESTree.Node[] = [],
): string[] {
  if (seen.includes(node)) return []
  const inside = (one: ESTree.Node) => textsIn(one, values, [...seen, node])
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
    case 'Identifier':
      return (values.get(node.name) ?? []).flatMap(inside)
    case 'CallExpression':
      return node.callee.type === 'Identifier' ? inside(node.callee) : []
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
