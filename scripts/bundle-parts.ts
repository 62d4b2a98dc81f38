import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { bundleOptions } from './bundle-options.ts'

/** A file of the product: what it exports of its own, and where the walk over its imports begins. */
interface Part {
  readonly name: PartName
  readonly root: string
  readonly entry: string
  /** What the walk does not go into: a later part begins there. */
  readonly leavesOut?: RegExp
}

type PartName = 'hcloud-talos' | 'hosts' | 'terminal' | 'sandbox'

/** Where the mode of hosts that exist is put together: loaded for their files alone. */
const hostsMode = 'src/commands/modes/kubeadm/hosts-mode.ts'

/**
 * The files that the product is bundled into. A source file is in the first part that reaches it, so that nothing is
 * there twice, and later parts take it from there: what an action loads is the first part, and that of hosts
 * where the cluster is on hosts.
 */
const parts: readonly Part[] = [
  {
    name: 'hcloud-talos',
    root: 'src/actions/main.ts',
    entry: `export const runAction = async (name, stage) => (await import('./src/actions/main.ts')).main(name, stage)\n`,
    leavesOut: new RegExp(`^${hostsMode}$`),
  },
  { name: 'hosts', root: hostsMode, entry: '' },
  {
    name: 'terminal',
    root: 'src/cli/main.ts',
    entry: `export const runCli = async () => (await import('./src/cli/main.ts')).main()\n`,
    leavesOut: /^src\/sandbox\//,
  },
  { name: 'sandbox', root: 'src/cli/main.ts', entry: '' },
]

/** What only people at a terminal need, and so no action may load. */
const notForActions: readonly RegExp[] = [
  /^src\/(cli|sandbox)\//,
  /^src\/commands\/(keys|secrets|talos)\//,
  /(^|\/)node_modules\/commander\//,
]

export const partFiles = parts.map(({ name }) => `${name}.cjs`)

export type Inputs = Metafile['inputs']

/**
 * Bundles the product into a folder and returns what went into it. Throws where an action would load what only the
 * terminal needs.
 */
export async function buildParts(root: string, folder: string): Promise<Inputs> {
  const inputs = await readInputs(root)
  const owners = ownersOf(inputs)
  const intruders = [...owners]
    .filter(
      ([path, owner]) => owner === 'hcloud-talos' && notForActions.some((no) => no.test(path)),
    )
    .map(([path]) => path)
  if (intruders.length > 0)
    throw new Error(`an action would load what only the terminal needs: ${intruders.join(', ')}`)
  mkdirSync(folder, { recursive: true })
  for (const { name, entry } of parts) {
    const shared = sharedFrom(name, inputs, owners)
    const table = shared.map((path) => {
      const source = path.startsWith('src/') ? `./${path}` : join(root, path)
      return `  ${JSON.stringify(placeOf(path))}: () => require(${JSON.stringify(source)}),\n`
    })
    const contents = `${entry}export const modules = {\n${table.join('')}}\n`
    await build({
      ...bundleOptions(root, contents),
      outfile: join(folder, `${name}.cjs`),
      plugins: [takeFromOthers(root, name, owners)],
    })
  }
  return inputs
}

/** Every source file of the product, with what it imports. */
async function readInputs(root: string): Promise<Inputs> {
  const entry = parts.map((part) => part.entry).join('')
  const { metafile } = await build({
    ...bundleOptions(root, entry),
    absWorkingDir: root,
    write: false,
    metafile: true,
  })
  return metafile.inputs
}

/** In which part each file is. */
function ownersOf(inputs: Inputs): Map<string, PartName> {
  const owners = new Map<string, PartName>()
  for (const { name, root, leavesOut } of parts) {
    for (const path of reached(inputs, root, (path) => leavesOut?.test(path) ?? false))
      if (!owners.has(path)) owners.set(path, name)
  }
  return owners
}

function reached(inputs: Inputs, root: string, isLeftOut: (path: string) => boolean): Set<string> {
  const seen = new Set<string>()
  const waiting = [root]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || isLeftOut(path)) continue
    seen.add(path)
    for (const { path: next, external } of inputs[path]?.imports ?? [])
      if (external !== true) waiting.push(next)
  }
  return seen
}

/** What other parts take from this one, in order: the same bytes from every build. */
function sharedFrom(
  name: PartName,
  inputs: Inputs,
  owners: ReadonlyMap<string, PartName>,
): string[] {
  const shared = new Set<string>()
  for (const [path, owner] of owners) {
    if (owner === name) continue
    for (const { path: target } of inputs[path]?.imports ?? [])
      if (owners.get(target) === name && isShared(target)) shared.add(target)
  }
  return [...shared].sort()
}

/** Data are in each part that needs them. */
function isShared(path: string): boolean {
  return !path.endsWith('.json')
}

/** The same wherever packages are installed. */
function placeOf(path: string): string {
  return path.replace(/^.*(?=node_modules\/)/, '')
}

/** Has a part take from others what is theirs, when it is evaluated. */
function takeFromOthers(
  root: string,
  name: PartName,
  owners: ReadonlyMap<string, PartName>,
): Plugin {
  return {
    name: 'take-from-others',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, async (args) => {
        if (args.pluginData === name || args.kind === 'entry-point') return undefined
        if (args.namespace === 'part') return { path: args.path, external: true }
        const { resolveDir, kind, importer, with: attributes } = args
        const found = await builder.resolve(args.path, {
          resolveDir,
          kind,
          importer,
          with: attributes,
          pluginData: name,
        })
        const path = relative(root, found.path)
        const owner = found.external ? undefined : owners.get(path)
        if (owner === undefined || owner === name || !isShared(path)) return undefined
        return { path: placeOf(path), namespace: 'part', pluginData: owner }
      })
      builder.onLoad({ filter: /.*/, namespace: 'part' }, ({ path, pluginData: owner }) => ({
        contents: `module.exports = require('./${owner}.cjs').modules[${JSON.stringify(path)}]()`,
        loader: 'js',
      }))
    },
  }
}
