import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractKubectl } from '../../../scripts/extract-helm.ts'
import { createClock } from '../../../src/lib/clock.ts'
import type { JsonObject } from '../../../src/lib/json.ts'
import { SimKubernetes } from '../../../src/sandbox/kubernetes/sim-kubernetes.ts'
import { issueKey } from '../../../src/sandbox/pki.ts'
import { World } from '../../../src/sandbox/world.ts'
import { newAuthority, node } from '../../sandbox/kubernetes/sim-cluster.ts'

export interface Spoken {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface KubectlCluster {
  readonly world: World
  readonly sim: SimKubernetes
  /** Runs kubectl, its arguments split at each blank, to its end, with `input` on its standard input. */
  run(args: string, input?: JsonObject | JsonObject[]): Promise<Spoken>
  /** As `run`; throws with all that it said unless it ended well, and answers what it printed. */
  must(args: string, input?: JsonObject | JsonObject[]): Promise<string>
  close(): Promise<void>
}

/** A simulated cluster of one control plane and two workers, and kubectl with its kubeconfig. */
export async function startKubectlCluster(): Promise<KubectlCluster> {
  const kubectl = await extractKubectl()
  const home = await mkdtemp(join(tmpdir(), 'hcloud-talos-kubectl-'))
  const world = new World({ clock: createClock(100) })
  const ca = newAuthority()
  const sim = new SimKubernetes({
    world,
    clusterName: 'demo',
    version: 'v1.36.0',
    ca,
    podCidr: '10.244.0.0/16',
    serviceCidr: '10.96.0.0/12',
    serverSans: () => ['127.0.0.1'],
  })
  const served = await sim.serve('127.0.0.1', 0, () => true)
  const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] as const
  sim.registerNode(node('demo-control-plane-1', 1, { roleControlPlane: true, taints }))
  for (const slot of [1, 2]) sim.registerNode(node(`demo-workers-${slot}`, slot + 1))
  const admin = issueKey('p256', {
    subject: { commonName: 'admin', organizations: ['system:masters'] },
    issuer: ca,
    usages: ['clientAuth'],
  })
  const kubeconfig = join(home, 'kubeconfig')
  await writeFile(kubeconfig, renderKubeconfig(served.port, ca.crt, admin))
  const run: KubectlCluster['run'] = (args, input) =>
    speak(
      kubectl,
      ['--kubeconfig', kubeconfig, ...args.split(' ').filter((word) => word !== '')],
      home,
      input,
    )
  return {
    world,
    sim,
    run,
    must: async (args, input) => {
      const { code, stdout, stderr } = await run(args, input)
      if (code === 0) return stdout
      throw new Error(`kubectl ${args} ended with ${code}\n${stdout}\n${stderr}`)
    },
    close: async () => {
      await served.close()
      await world.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

function renderKubeconfig(port: number, ca: string, admin: { crt: string; key: string }): string {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin@demo',
    contexts: [{ name: 'admin@demo', context: { cluster: 'demo', user: 'admin' } }],
    clusters: [
      {
        name: 'demo',
        cluster: {
          server: `https://127.0.0.1:${port}`,
          'certificate-authority-data': encoded(ca),
        },
      },
    ],
    users: [
      {
        name: 'admin',
        user: {
          'client-certificate-data': encoded(admin.crt),
          'client-key-data': encoded(admin.key),
        },
      },
    ],
  })
}

function speak(
  kubectl: string,
  args: readonly string[],
  home: string,
  input?: JsonObject | JsonObject[],
): Promise<Spoken> {
  const child = spawn(kubectl, args, { env: { HOME: home, PATH: process.env['PATH'] ?? '' } })
  const documents = input === undefined ? [] : [input].flat()
  child.stdin.end(documents.map((one) => JSON.stringify(one)).join('\n---\n'))
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, ...output }))
  })
}
