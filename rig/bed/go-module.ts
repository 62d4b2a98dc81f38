import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../../src/sandbox/stable-json.ts'
import { makeArtefact } from './make-artefact.ts'
import { runTethered } from './run-tethered.ts'
import type { Workshop } from './workshop.ts'

/** Programs that one module below rig/ requires or holds. */
export interface GoModule<Name extends string> {
  /** The module's folder below rig/. */
  readonly folder: string
  /** Folders below rig/ that it replaces modules with. */
  readonly uses?: readonly string[]
  /** Version of Kubernetes without v that its programs report. */
  readonly kubernetes?: string
  /** Packages by the name of the program that they become. */
  readonly programs: Readonly<Record<Name, string>>
}

/** As Talos builds itself: no terminals that it does not know, no traces of gRPC. */
const tags = 'tcell_minimal,grpcnotrace'

/** Absolute paths of a module's programs by name. */
export type Programs<Name extends string> = (name: Name) => string

/**
 * Builds a module's programs with Go. Versions and digests of all that goes
 * in are those of go.mod and go.sum: a build that would need others fails.
 */
export async function makeGoPrograms<Name extends string>(
  workshop: Workshop,
  module: GoModule<Name>,
): Promise<Programs<Name>> {
  const flags = ['-mod=readonly', '-trimpath', '-tags', tags, '-ldflags', linkerFlags(module)]
  const sources = await Promise.all(
    [module.folder, ...(module.uses ?? [])].map((folder) =>
      digestFolder(join(workshop.root, 'rig', folder)),
    ),
  )
  const paths = new Map<string, string>()
  for (const name in module.programs) {
    const source = module.programs[name]
    const folder = await makeArtefact(workshop, {
      name: `program-${module.folder}-${name}`,
      inputs: { flags, source, sources },
      make: async (draft) => {
        workshop.report(`building ${name} of ${module.folder}`)
        await runTethered({
          command: ['go', 'build', ...flags, '-o', join(draft, name), source],
          folder: join(workshop.root, 'rig', module.folder),
          path: workshop.path,
          signal: workshop.signal,
          environment: { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off' },
        })
      },
    })
    paths.set(name, join(folder, name))
  }
  return (name) => {
    const path = paths.get(name)
    if (path === undefined) throw new Error(`${module.folder} has no program ${name}`)
    return path
  }
}

function linkerFlags({ kubernetes }: Pick<GoModule<string>, 'kubernetes'>): string {
  const flags = [
    '-s',
    '-w',
    '-X golang.zx2c4.com/wireguard/ipc.socketDirectory=/system/wireguard-sock',
  ]
  if (kubernetes === undefined) return flags.join(' ')
  const [major, minor] = kubernetes.split('.')
  for (const place of ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']) {
    flags.push(`-X ${place}.gitVersion=v${kubernetes}`)
    flags.push(`-X ${place}.gitMajor=${major}`, `-X ${place}.gitMinor=${minor}`)
  }
  flags.push('-X k8s.io/component-base/version.gitTreeState=clean')
  return flags.join(' ')
}

/** One digest over the names and contents of a folder's files. */
async function digestFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const parts = await Promise.all(
    files
      .sort()
      .map(async (file) => `${file.slice(folder.length)}\n${await readFile(file, 'utf8')}`),
  )
  return sha256Hex(parts.join('\0'))
}
