import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textDigest } from '../../../lib/canonical-json.ts'
import { makeArtefact } from './make-artefact.ts'
import { runProgram } from './run-program.ts'
import type { Workshop } from './workshop.ts'

/** Programs that one module below rig/ requires or holds. */
export interface GoModule {
  /** The module's folder below rig/. */
  readonly folder: string
  /** Folders below rig/ that it replaces modules with. */
  readonly uses?: readonly string[]
  /** Version of Kubernetes without v that its programs report. */
  readonly kubernetes?: string
  /** Packages by the name of the program that they become. */
  readonly programs: Readonly<Record<string, string>>
}

/** As Talos builds itself: no dashboards of terminals that it does not know, no traces of gRPC. */
const tags = 'tcell_minimal,grpcnotrace'

/**
 * The folder with a module's programs, built by Go. Versions and digests of all that goes in are
 * those of go.mod and go.sum: a build that would need others fails.
 */
export async function makeGoPrograms(workshop: Workshop, module: GoModule): Promise<string> {
  const flags = ['-mod=readonly', '-trimpath', '-tags', tags, '-ldflags', linkerFlags(module)]
  const folder = join(workshop.root, 'rig', module.folder)
  const sources = [module.folder, ...(module.uses ?? [])]
  return makeArtefact(workshop, {
    name: `programs-${module.folder.replaceAll('/', '-')}`,
    inputs: {
      flags,
      programs: { ...module.programs },
      sources: await Promise.all(
        sources.map((source) => digestFolder(join(workshop.root, 'rig', source))),
      ),
    },
    make: async (draft) => {
      const programs = Object.entries(module.programs)
      for (const [index, [name, source]] of programs.entries()) {
        workshop.report(`${module.folder}: building ${name} (${index + 1} of ${programs.length})`)
        await runProgram({
          command: ['go', 'build', ...flags, '-o', join(draft, name), source],
          folder,
          path: workshop.path,
          signal: workshop.signal,
          environment: { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off' },
        })
      }
    },
  })
}

function linkerFlags({ kubernetes }: GoModule): string {
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
  return textDigest(parts.join('\0'))
}
