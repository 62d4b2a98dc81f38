import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Finding } from '../../lib/finding.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { nearestName } from '../../spec/nearest-name.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { askFactory, type FactoryLists } from '../../talos/factory-lists.ts'
import type { ClusterFile } from '../cluster-file.ts'
import type { RunContext } from '../run-context.ts'
import { runPhase } from '../run-phase.ts'
import { factoryOf } from './factory-of.ts'

/**
 * A plan with what the image factory has to say of it: a version or an extension that it does not have is an
 * error before anything is paid for. It is asked only where an image is about to be made or installed. What
 * cannot be asked is a warning, by the list of an earlier run where there is one.
 */
export async function withFactoryFindings(
  context: RunContext,
  { spec, file }: { readonly spec: ClusterSpec; readonly file: ClusterFile },
  plan: Plan,
): Promise<Plan> {
  if (!needsImage(plan)) return plan
  const found = locateFindings(file.text, await factoryFindings(context, spec))
  return { ...plan, findings: [...plan.findings, ...found] }
}

function needsImage({ verb, changes }: Plan): boolean {
  if (verb === 'upgrade') return changes.length > 0
  return changes.some(({ action, after }) => action === 'create' && after?.kind === 'image')
}

/** The findings by themselves. */
export async function factoryFindings(context: RunContext, spec: ClusterSpec): Promise<Finding[]> {
  const { version } = spec.talos
  const { endpoints, signal } = context
  const endpoint = factoryOf(endpoints, spec.talos)
  const asked = await runPhase(context.progress, 'Ask the image factory', () =>
    askFactory({ endpoint, signal }, version),
  )
  const known = await remember(
    join(context.cacheFolder, 'factory'),
    `${endpoint} ${version}`,
    asked,
  )
  return [...versionFindings(version, known), ...extensionFindings(spec, known)]
}

/** A list of the factory; `names` is undefined where neither this run nor an earlier one was given it. */
interface KnownList {
  readonly names: readonly string[] | undefined
  /** Whether the factory has just said so. */
  readonly isFresh: boolean
}

/** Why it does not answer nobody knows here. */
const silentHint =
  'Run it again; if that stays so, look whether this machine reaches the factory, and at talos.factory where the file has it.'

type KnownLists = Readonly<Record<keyof FactoryLists, KnownList>>

function versionFindings(
  version: string,
  { versions: { names: versions, isFresh } }: KnownLists,
): Finding[] {
  const path = ['talos', 'version']
  if (versions === undefined) {
    const message = `whether the image factory has Talos ${version} is not known: it does not answer`
    return [{ severity: 'warning', path, message, hint: silentHint }]
  }
  if (versions.includes(version)) return []
  const line = version.split('.').slice(0, 2).join('.')
  const newest = versions
    .filter((each) => each.startsWith(`${line}.`) && !each.includes('-'))
    .at(-1)
  return [
    {
      severity: isFresh ? 'error' : 'warning',
      path,
      message: `talos.version is ${version}, which the image factory does not have${isFresh ? '' : ', as far as an earlier run has seen'}`,
      ...(newest !== undefined && {
        hint: `Take ${newest}, the last one of ${line} that it lists.`,
      }),
    },
  ]
}

function extensionFindings(
  { talos }: ClusterSpec,
  { extensions: { names: extensions, isFresh } }: KnownLists,
): Finding[] {
  if (talos.extensions.length === 0) return []
  // An empty list says nothing: no factory is without extensions.
  if (extensions === undefined || extensions.length === 0) {
    const path = ['talos', 'extensions']
    const message = `whether the image factory has these extensions for Talos ${talos.version} is not known: it does not list them`
    return [{ severity: 'warning', path, message, hint: silentHint }]
  }
  return talos.extensions.flatMap((extension, index) => {
    if (extensions.includes(extension)) return []
    const near = nearestName(extension, extensions)
    return [
      {
        severity: isFresh ? ('error' as const) : ('warning' as const),
        path: ['talos', 'extensions', index],
        message: `the image factory has no extension ${extension} for Talos ${talos.version}`,
        ...(near !== undefined && { hint: `Did you mean ${near}?` }),
      },
    ]
  })
}

const lists = z.object({
  versions: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
})

/** Keeps each list that the factory has given, and gives the one of an earlier run where it does not. */
async function remember(folder: string, what: string, asked: FactoryLists): Promise<KnownLists> {
  const key = createHash('sha256').update(what).digest('hex')
  const path = join(folder, `${key.slice(0, 16)}.json`)
  const former = await readLists(path)
  const versions = asked.versions ?? former?.versions
  const extensions = asked.extensions ?? former?.extensions
  if (asked.versions || asked.extensions) {
    await keepLists(path, JSON.stringify({ versions, extensions }))
  }
  return {
    versions: { names: versions, isFresh: asked.versions !== undefined },
    extensions: { names: extensions, isFresh: asked.extensions !== undefined },
  }
}

async function readLists(path: string): Promise<z.infer<typeof lists> | undefined> {
  try {
    return lists.safeParse(JSON.parse(await readFile(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** A cache that cannot be written is none: nothing depends on it. */
async function keepLists(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.${process.pid}.partial`, text)
    await rename(`${path}.${process.pid}.partial`, path)
  } catch {
    // The next run asks again.
  }
}
