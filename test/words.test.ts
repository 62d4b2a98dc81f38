import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { declaredNames } from './declared-names.ts'
import { markdownFiles } from './docs/markdown-files.ts'
import { printedTexts } from './printed-texts.ts'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'src')
const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox/') && !/\bgen\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

const literal = /(['`"])((?:\\.|(?!\1)[^\\\n])*)\1/g

interface Term {
  readonly term: string
  /** Words that once stood for it and are not used. */
  readonly not: readonly string[]
}

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const terms: readonly Term[] = [...glossary.matchAll(/^\| (.+?) \| .+? \| .+? \|(.*)\|$/gm)]
  .map(([, term = '', not = '']) => ({ term, not: wordsIn(not) }))
  .filter(({ term }) => term !== 'term' && !term.startsWith('---'))
/** Rejected everywhere, with the term to use. */
const forbidden = terms.flatMap(({ term, not }) =>
  not.map((word) => [pattern(word), term] as const),
)
/** Rejected in what the program prints. */
const [, spokenLine = ''] = /rejected as well: ([^.]+)\./.exec(glossary) ?? []
const spoken = wordsIn(spokenLine).map(
  (word) => [pattern(word), 'reports, shows, prints, names, ...'] as const,
)

const printed = printedTexts(sources)
/** Of the cluster file: messages name its fields. */
const schema = readFileSync(join(root, 'schema/cluster.schema.json'), 'utf8')

/** What a hint begins with. */
const imperatives =
  `add adopt allow answer apply ask bring change check choose compare confirm connect continue copy correct create delete destroy detach do encode
  enable exclude fetch find fix give install join keep leave let list look make mint move name never open pin pipe plan point put
  raise reboot refer remove rename replace restart restore restrict rewrite run see set shorten start switch take treat try type
  upgrade use verify widen write`.split(/\s+/)

/** Tools that the product promises not to need. */
const foreignTools = /\b(?:talosctl|terraform|tofu|packer|kubectl|sops)\b|\bhcloud\b(?!-)/

/** Hints that name another tool all the same, each with its reason. */
const toolExceptions: Readonly<Record<string, string>> = {
  'talosctl gen secrets': 'the file that somebody brings along, who had a cluster before',
  'kubectl get pods': 'only Kubernetes knows its pods',
  'kubectl describe pod': 'only Kubernetes knows its events',
  'kubectl delete': 'an object of somebody, which a run never deletes',
  'kubectl get volumeattachments': 'only Kubernetes knows them',
  'kubectl logs': 'the log of a pod that a chart asked for',
  'kubectl uncordon': 'a cordon that somebody set by hand',
}

/** Hints that begin otherwise, each with its reason. */
const hintExceptions: Readonly<Record<string, string>> = {
  'Did you mean …?': 'the one word that is wrong, as compilers ask',
}

test('a hint is an imperative sentence with a capital and an end, or a command of ours', () => {
  expect(printed.hints.length).toBeGreaterThan(500)
  const wrong = printed.hints.filter(
    ({ text }) =>
      !/^hcloud-talos (?:[^,.]|\.\.)+$/.test(text) &&
      !(isImperative(text) && /[.…)]$/.test(text)) &&
      !(text in hintExceptions),
  )
  expect(wrong).toEqual([])
  const excepted = Object.keys(hintExceptions)
  expect(excepted.filter((one) => !printed.hints.some(({ text }) => text === one))).toEqual([])
})

test('a hint names no tool that the product promises not to need', () => {
  const all = printed.hints.map(({ text }) => text)
  const excepted = Object.keys(toolExceptions)
  const wrong = all.filter((text) =>
    foreignTools.test(excepted.reduce((left, one) => left.replaceAll(one, ''), text)),
  )
  expect(wrong).toEqual([])
  expect(excepted.filter((one) => !all.some((text) => text.includes(one)))).toEqual([])
})

/** Clauses that hide what is wrong behind when, or why, it is. */
const subordinate =
  /^(?:after|although|as|because|before|if|once|since|so that|unless|until|when|where|while)\b/i

/** Names that messages begin with. */
const properNames =
  /^(?:Cilium|CoreDNS|DHCP|GitHub|GitHub's|Hetzner|Hetzner's|KubeSpan|Kubernetes|Talos|[A-Z]+(?:_[A-Z0-9]+)+)(?![\w.])/

test('a message begins with what is wrong, in lower case and without an end', () => {
  expect(printed.messages.length).toBeGreaterThan(450)
  const wrong = printed.messages.filter(
    ({ text }) =>
      subordinate.test(text) ||
      /^(?:please|you|your|hcloud-talos|kubectl|talosctl)\b|^`/i.test(text) ||
      imperatives.includes(/^\w+(?=[ .])/.exec(text)?.[0] ?? '') ||
      (/^[A-Z]/.test(text) && !properNames.test(text)) ||
      isInternal(/^[\w.]+/.exec(text)?.[0] ?? '') ||
      /[.!?]$/.test(text),
  )
  expect(wrong).toEqual([])
})

/** A sentence, or one after a condition. */
function isImperative(text: string): boolean {
  const [first = ''] = /^[A-Z][a-z]*/.exec(text) ?? []
  if (imperatives.includes(first.toLowerCase())) return true
  if (first !== 'If') return text.startsWith('…')
  return [...text.matchAll(/[,;:] (\w+)/g)].some(([, word = '']) => imperatives.includes(word))
}

/** Whether a word is a name of the code: it has a capital within or a dot, and is no field of the cluster file. */
function isInternal(word: string): boolean {
  const [field = ''] = word.split('.')
  return (
    /[a-z][A-Z]|\w\.\w/.test(word) && !schema.includes(`"${field}": {`) && !properNames.test(word)
  )
}

test('what people read uses the words of the field', () => {
  const wrong = sources.flatMap(({ file, text }) =>
    [...text.matchAll(literal)]
      .map(([, , words = '']) => words)
      .filter((words) => words.includes(' '))
      .map((words) => words.replace(/\$\{[^{}]*\}/g, '…'))
      .flatMap((words) =>
        wordsOfDialect(words, [...forbidden, ...spoken]).map(
          (instead) => `${file}: ${words} (${instead})`,
        ),
      ),
  )
  expect(wrong).toEqual([])
})

test('so do the documents', () => {
  const wrong = markdownFiles()
    .filter(({ path }) => path !== 'CHANGELOG.md' && path !== 'docs/glossary.md')
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          wordsOfDialect(line, forbidden).map(
            (instead) => `${path}:${at + 1}: ${line} (${instead})`,
          ),
        ),
    )
  expect(wrong).toEqual([])
})

/** Names that have a rejected word all the same, each with its reason. */
const nameExceptions: Readonly<Record<string, string>> = {
  says: 'a field of the JSON output of doctor, repair and compare, which scripts read',
}

test('so do names, those of files too', () => {
  const notInNames = [...terms.flatMap(({ not }) => not), ...wordsIn(spokenLine), 'tell']
  const rejected = new Set(notInNames.filter((word) => /^\w+$/.test(word)))
  const isWrong = (name: string) =>
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .split(/[^A-Za-z0-9]/)
      .some((word) => rejected.has(word.toLowerCase()))
  const used = new Set<string>()
  const isExcepted = (name: string, folder: string) => {
    const isOne = Object.hasOwn(nameExceptions, name)
    if (isOne && folder === 'src') used.add(name)
    return isOne
  }
  const anyOf = new RegExp([...rejected].join('|'), 'i')
  const wrong = ['src', 'test', 'scripts', 'rig'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\bgen\//.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, folder, file), 'utf8')
        const names = anyOf.test(text) ? [...declaredNames(file, text)] : []
        const own = [
          file.replace(/\.ts$/, ''),
          ...names.filter((name) => !isExcepted(name, folder)),
        ]
        return own.filter(isWrong).map((name) => `${folder}/${file}: ${name}`)
      }),
  )
  expect(wrong).toEqual([])
  expect([...used]).toEqual(Object.keys(nameExceptions))
})

test('the glossary lists each term once, and all of them are in use', () => {
  const names = terms.map(({ term }) => term)
  expect(names.length).toBeGreaterThan(30)
  expect(new Set(names).size).toBe(names.length)
  const text = [
    ...sources.map((source) => source.text),
    ...markdownFiles()
      .filter(({ path }) => path !== 'docs/glossary.md')
      .map((file) => file.text),
  ].join('\n')
  expect(names.filter((name) => !pattern(name).test(text))).toEqual([])
  const replaced = terms.flatMap(({ not }) => not)
  expect(replaced.filter((word) => names.includes(word))).toEqual([])
})

/** The words in a cell, or a sentence, each in backticks. */
function wordsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
}

function pattern(word: string): RegExp {
  return new RegExp(`\\b${word}\\b(?!-)`, 'i')
}

function wordsOfDialect(
  text: string,
  words: readonly (readonly [word: RegExp, instead: string])[],
): string[] {
  return words.filter(([word]) => word.test(text)).map(([, instead]) => instead)
}
