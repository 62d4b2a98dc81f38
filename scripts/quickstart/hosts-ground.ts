import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { publishSigningKeys } from '../../src/sandbox/hosts/signing-key.ts'
import { type SimHosts, startHosts } from '../../src/sandbox/hosts/start-hosts.ts'
import { sandboxEnvironment } from '../../src/sandbox/sandbox-environment.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import type { Ground } from './ground.ts'
import { hostNames, placeOnHosts } from './place-on-hosts.ts'

/** How people log in who are not root and have an encrypted key. */
export interface LockedLogin {
  readonly user: string
  readonly sudoPassword: string
  readonly passphrase: string
}

/** Hosts that exist, which are simulated, with kubeadm. */
export function hostsGround(login?: LockedLogin): Ground {
  return {
    parts: 'hosts with SSH, kubeadm, Kubernetes, charts, GitHub and git',
    async open({ folder, path }) {
      const example = await readFile(join(import.meta.dirname, '../../examples/hosts.yaml'), 'utf8')
      const hosts = await startHosts({ hosts: hostNames(example), ...login })
      try {
        await publishSigningKeys(hosts)
        const sandbox = await startSandbox({ folder, path, latencies: 'none' })
        const { HCLOUD_TOKEN: _, ...outside } = sandboxEnvironment(sandbox.endpoints)
        return {
          sandbox,
          clusterFile: lockedFile(placeOnHosts(example, hosts), login),
          clusterName: 'rack',
          environment: { ...outside, ...secretsOf(hosts, login) },
          inputs: { plan: {}, apply: {} },
          looks: {
            title: 'The cluster: nodes, kubeconfig',
            commands: [['status'], ['kubeconfig', '--out', join(folder, 'kubeconfig')]],
          },
          afterDestroy: () => bareness(hosts),
          async close() {
            await sandbox.close()
            await hosts[Symbol.asyncDispose]()
          },
        }
      } catch (error) {
        await hosts[Symbol.asyncDispose]()
        throw error
      }
    },
  }
}

/** What simulated hosts need of this machine and it does not have, in one sentence. */
export function missingForHosts(): string | undefined {
  const needs =
    'simulated hosts need Linux, root (they are folders in namespaces of this machine), unshare and gpg'
  if (process.platform !== 'linux') return `${needs}: this is ${process.platform}`
  if (userInfo().uid !== 0) return `${needs}: run it as root`
  const lacking = ['unshare', 'gpg'].filter((tool) => spawnSync(tool, ['--version']).status !== 0)
  if (lacking.length > 0) return `${needs}: install ${lacking.join(' and ')}`
  const namespaces = spawnSync('unshare', ['--mount', '--uts', '--pid', '--fork', 'true'])
  return namespaces.status === 0 ? undefined : `${needs}: this container allows no namespaces`
}

function lockedFile(text: string, login: LockedLogin | undefined): string {
  if (login === undefined) return text
  const file = parseDocument(text)
  file.setIn(['ssh', 'user'], login.user)
  file.setIn(['ssh', 'key', 'passphrase'], { environment: 'SSH_PASSPHRASE' })
  file.setIn(['ssh', 'sudo'], { password: { environment: 'SUDO_PASSWORD' } })
  return file.toString({ lineWidth: 0 })
}

/** The variables that the file names. */
function secretsOf({ privateKey }: SimHosts, login: LockedLogin | undefined) {
  return {
    SSH_PRIVATE_KEY: privateKey,
    ...(login && { SSH_PASSPHRASE: login.passphrase, SUDO_PASSWORD: login.sudoPassword }),
  }
}

/** What kubeadm and the product make on a host. */
const traces = [
  'etc/kubernetes/pki',
  'etc/kubernetes/admin.conf',
  'etc/kubernetes/kubelet.conf',
  'etc/kubernetes/manifests/kube-apiserver.yaml',
  'etc/kubernetes/manifests/kube-vip.yaml',
  'var/lib/etcd/member',
  'var/lib/hcloud-talos/cluster.json',
]

function bareness({ started, clusters, world }: SimHosts) {
  const all = [...started.values()]
  return [
    {
      sentence: 'no host has a certificate, a kubeconfig, a static pod, data of etcd or a mark',
      isTrue: all.every(({ host }) => traces.every((path) => !host.folder.has(path))),
    },
    {
      sentence: 'no container of a cluster and no virtual IP is left on any host',
      isTrue: clusters.nodes.every(
        ({ containers, addresses }) => containers.size === 0 && addresses.size === 0,
      ),
    },
    {
      sentence: 'the product sent nothing that no API knows',
      isTrue: world.contractErrors.length === 0,
    },
  ]
}
