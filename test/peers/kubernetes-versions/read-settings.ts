import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { z } from 'zod'
import { buildGo } from '../build-go.ts'

/** Modules beside k8s.io/kubernetes itself in which flags and feature gates are declared. */
const stagingModules = [
  'apiserver',
  'apiextensions-apiserver',
  'apimachinery',
  'client-go',
  'component-base',
  'controller-manager',
  'cloud-provider',
  'kube-aggregator',
  'kubelet',
  'api',
]

const settings = z.object({
  flags: z.record(z.string(), z.array(z.string())),
  gates: z.record(z.string(), z.enum(['', 'true', 'false'])),
  admissionPlugins: z.array(z.string()),
  kubeletConfig: z.record(z.string(), z.string()),
})

/** What one release takes: flags by component, gates with the value that they are locked to, plugins. */
export type KubernetesSettings = z.infer<typeof settings>

/** Reads the sources of a release (without v) from the Go module proxy; needs Go. */
export async function readSettings(release: string): Promise<KubernetesSettings> {
  const [, minor = '', patch = ''] = release.split('.')
  const program = await buildGo(import.meta.dirname)
  const folders: string[] = []
  const modules = [
    ['k8s.io/kubernetes', `v${release}`],
    ...stagingModules.map((name) => [`k8s.io/${name}`, `v0.${minor}.${patch}`]),
  ]
  for (const [name, version] of modules) {
    folders.push(`${name}=${await downloadModule(`${name}@${version}`)}`)
  }
  const { stdout } = await promisify(execFile)(program, [minor, ...folders], {
    maxBuffer: 1 << 24,
  })
  return settings.parse(JSON.parse(stdout))
}

/** The flags of a release of etcd (without v). */
export async function readEtcdFlags(release: string): Promise<readonly string[]> {
  const program = await buildGo(import.meta.dirname)
  const folders: string[] = []
  for (const name of ['server/v3', 'pkg/v3', 'client/pkg/v3', 'api/v3']) {
    const module = `go.etcd.io/etcd/${name}`
    folders.push(`${module}=${await downloadModule(`${module}@v${release}`)}`)
  }
  const { stdout } = await promisify(execFile)(program, ['etcd', ...folders])
  return z.array(z.string()).parse(JSON.parse(stdout))
}

async function downloadModule(module: string): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], {
    cwd: tmpdir(),
  })
  return z.object({ Dir: z.string() }).parse(JSON.parse(stdout)).Dir
}
