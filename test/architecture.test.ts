import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordKinds } from '../src/plan/record.ts'
import { filesOfOneMode } from './files-of-one-mode.ts'

/** What knows one outside each, and not the others: what two of them need stands below them. */
const domains = ['hetzner', 'talos', 'kubernetes', 'addons', 'ssh', 'kubeadm', 'store', 'backup']
const pure = ['plan', 'spec', 'lib']

/**
 * Who may import whom. A layer sees itself and what its line names: nothing else. This table is the
 * architecture; docs/architecture.md explains it.
 */
const layers: Record<string, readonly string[]> = {
  lib: [],
  spec: ['lib'],
  plan: ['spec', 'lib'],
  ...Object.fromEntries(domains.map((domain) => [domain, pure])),
  backup: ['lib'],
  planner: [...domains, ...pure],
  run: ['planner', ...domains, ...pure],
  engine: ['run', 'planner', ...domains, ...pure],
  commands: ['engine', 'run', 'planner', ...domains, ...pure],
  github: ['commands', 'run', 'planner', ...pure],
  actions: ['github', 'commands', 'run', 'planner', ...pure],
  cli: ['github', 'commands', 'run', 'planner', 'sandbox', ...pure],
  sandbox: ['lib'],
}

/** Single imports that the table would forbid, each with its reason. */
const exceptions: readonly (readonly [from: string, to: string, why: string])[] = [
  ['sandbox', 'talos/api/gen/', 'generated wire messages are facts, not our reading of them'],
]

/** What the sandbox takes from `lib`: types, errors, and time and chance as parameters; no reading of any rule. */
const sharedWithSandbox = [
  'clock.ts',
  'cluster-error.ts',
  'file-failure.ts',
  'json.ts',
  'kubernetes-object.ts',
  'random.ts',
]

/** The one layer that may import these packages. */
const soleImporters: Record<string, string> = {
  '@actions/core': 'github',
  '@actions/github': 'github',
  '@kubernetes/client-node': 'kubernetes',
  'sops-age': 'store',
}

/** Types are gone when a file runs: two files may describe each other and still not need each other. */
const typeImport = /(?:^|\n)(?:import|export) type [^'"]*?from\s+['"][^'"]+['"]/g

const root = join(import.meta.dirname, '..', 'src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { file, imports: importsOf(text), needs: importsOf(text.replace(typeImport, '')) }
  })

function importsOf(text: string): string[] {
  const statements = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
  )
  return [...statements].map(([, from, lazy, bare]) => from ?? lazy ?? bare ?? '')
}

/** `@scope/name` of `@scope/name/dist/file.js`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function targetOf(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.')
    ? relative(root, join(root, dirname(file), specifier))
    : undefined
}

describe('the house', () => {
  test('every folder of src is a layer of the table', () => {
    const unknown = files
      .map(({ file }) => file.split('/')[0] ?? '')
      .filter((name) => !(name in layers))
    expect([...new Set(unknown)]).toEqual([])
  })

  test('a layer imports only itself and what the table allows', () => {
    const offences = files.flatMap(({ file, imports }) =>
      imports.flatMap((specifier) => {
        const target = targetOf(file, specifier)
        const from = file.split('/')[0] ?? ''
        const to = target?.split('/')[0] ?? from
        const allowed =
          to === from ||
          layers[from]?.includes(to) ||
          target === '../package.json' ||
          exceptions.some(([a, b]) => a === from && target?.startsWith(b))
        return allowed ? [] : [`${file} imports ${target}`]
      }),
    )
    expect(offences).toEqual([])
  })

  test('the sandbox shares no rule with what it tests', () => {
    const offences = files.flatMap(({ file, imports }) =>
      imports.flatMap((specifier) => {
        const target = targetOf(file, specifier)
        if (!file.startsWith('sandbox/') || !target?.startsWith('lib/')) return []
        return sharedWithSandbox.includes(target.slice(4)) ? [] : [`${file} imports ${target}`]
      }),
    )
    expect(offences).toEqual([])
  })

  test('the rig is built on the sandbox, and nothing of the product knows it', () => {
    const rig = join(root, '..', 'rig')
    const allowed =
      /^\.\.\/src\/(sandbox|lib|talos\/api\/gen)\/|^\.\.\/src\/cli\/commands\/sandbox\/run-sandbox\.ts$/
    const offences = readdirSync(rig, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        importsOf(readFileSync(join(rig, file), 'utf8'))
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => relative(rig, join(rig, dirname(file), specifier)))
          .filter((target) => target.startsWith('..') && !allowed.test(target))
          .map((target) => `${file} imports ${target}`),
      )
    const intruders = files.filter(({ file, imports }) =>
      imports.some((specifier) => targetOf(file, specifier)?.startsWith('../rig/')),
    )
    expect([offences, intruders.map(({ file }) => file)]).toEqual([[], []])
  })

  test('packages that belong to one layer are imported there alone', () => {
    const offences = files.flatMap(({ file, imports }) =>
      imports
        .filter((name) => {
          const owner = soleImporters[packageOf(name)]
          return owner !== undefined && !file.startsWith(`${owner}/`)
        })
        .map((name) => `${file} imports ${name}`),
    )
    expect(offences).toEqual([])
  })

  test('no files need each other in a circle', () => {
    const graph = new Map(
      files.map(({ file, needs }) => [file, needs.flatMap((i) => targetOf(file, i) ?? [])]),
    )
    expect(findCycle(graph)).toEqual([])
  })

  test('no groups of use cases need each other in a circle', () => {
    const groupOf = (file: string) => /^commands\/([^/]+)\//.exec(file)?.[1]
    const graph = new Map<string, string[]>()
    for (const { file, needs } of files) {
      const group = groupOf(file)
      if (group === undefined) continue
      const others = needs.flatMap((one) => groupOf(targetOf(file, one) ?? '') ?? [])
      graph.set(group, [...(graph.get(group) ?? []), ...others.filter((one) => one !== group)])
    }
    expect(findCycle(graph)).toEqual([])
  })

  test('no rule of a plan names a kind: the table of traits alone does', () => {
    const named = new RegExp(`kind\\)? [!=]== '|[\`'](${recordKinds.join('|')})/`)
    const offences = readdirSync(join(root, 'plan'))
      .filter((file) => file !== 'record.ts')
      .flatMap((file) =>
        readFileSync(join(root, 'plan', file), 'utf8')
          .split('\n')
          .filter((line) => named.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      )
    expect(offences).toEqual([])
  })

  test('what every cluster is done with knows no mode', () => {
    const bodies = files.map(({ file }) => file).filter((file) => /-in-mode\.ts$/.test(file))
    expect(bodies).toHaveLength(23)
    const madeUp = ['mode', 'mode.test', 'state.test'].map(
      (name) => `../test/commands/made-up-${name}.ts`,
    )
    const needed = everythingOf([...bodies, 'run/mode/cluster-mode.ts', ...madeUp])
    expect(needed).toContain('engine/run-plan.ts')
    expect(needed.filter(isOfOneMode)).toEqual([])
    expect(everythingOf(['commands/cluster/plan-cluster.ts']).some(isOfOneMode)).toBe(true)
  })

  test('what is common in a room knows no mode: neither its domains nor its folder', () => {
    const rooms = /^(planner|run|engine)\//
    const offences = importersOfOneMode(files).filter((file) => rooms.test(file))
    const known = filesOfOneMode.flatMap((one) => one.files).filter((file) => rooms.test(file))
    expect(offences).toEqual(known)
  })

  test('the files that keep a second mode out only become fewer', () => {
    const known = filesOfOneMode.flatMap((one) => one.files)
    expect(importersOfOneMode(files)).toEqual(known.toSorted())
  })

  test('no name says nothing', () => {
    const empty = /(^|\/)(utils?|helpers?|common|misc|types|index)\.ts$/
    expect(files.map(({ file }) => file).filter((file) => empty.test(file))).toEqual([])
  })
})

/** The domains of each mode, and the folders of it in the rooms (ADR 40, ADR 46). */
function isOfOneMode(file: string): boolean {
  return /^(hetzner|talos|kubeadm)\/|\/(hetzner-talos|kubeadm)\//.test(file)
}

/** Files that are not of a mode and import one all the same; the verbs of `commands/talos` are Talos's own. */
function importersOfOneMode(
  all: readonly { readonly file: string; readonly imports: readonly string[] }[],
): string[] {
  return all
    .filter(({ file }) => !isOfOneMode(file) && !/^(sandbox|commands\/talos)\//.test(file))
    .filter(({ file, imports }) =>
      imports.some((specifier) => isOfOneMode(targetOf(file, specifier) ?? '')),
    )
    .map(({ file }) => file)
    .toSorted()
}

/** Every file that these need, whether they say so or one that they need does; types too. */
function everythingOf(starts: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(join(root, file))) return
    seen.add(file)
    for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
      const target = targetOf(file, specifier)
      if (target !== undefined) visit(target)
    }
  }
  for (const start of starts) visit(start)
  return [...seen]
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next)
      if (cycle.length > 0) return cycle
    }
    path.pop()
    done.add(file)
    return []
  }
  for (const file of graph.keys()) {
    const cycle = visit(file)
    if (cycle.length > 0) return cycle
  }
  return []
}
