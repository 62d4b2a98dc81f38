import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { type Instances, instancesOf, restarted } from './instances.ts'
import type { RealCluster } from './real-cluster.ts'
import { type RealFile, realFile } from './real-file.ts'

interface FailingChange {
  /** As the subject of a sentence. */
  readonly name: string
  readonly patch: JsonObject
  /** Said of it: the field, and the line of the component's own log. */
  readonly field: string
  readonly log: RegExp
  /** Whether the node reboots for it. */
  readonly reboots?: boolean
  /** Whether the former instance runs on. */
  readonly startsNothing?: boolean
}

const argument = (component: string, name: string, value: string): FailingChange => ({
  name: `${component} with a --${name} at which it ends`,
  patch: { cluster: { [component]: { extraArgs: { [name]: value } } } },
  field: `cluster.${component}.extraArgs.${name}`,
  log: new RegExp(`log of \\S+ \\| .*${name}`),
})

/** Changes that every check before a node lets pass, and that the component itself does not take. */
const failingChanges: Readonly<Record<string, FailingChange>> = {
  apiServer: argument('apiServer', 'audit-log-maxage', 'seven'),
  controllerManager: argument('controllerManager', 'concurrent-deployment-syncs', 'many'),
  scheduler: argument('scheduler', 'kube-api-qps', 'fast'),
  etcd: { ...argument('etcd', 'quota-backend-bytes', 'lots'), reboots: true },
  admission: {
    name: 'an admission configuration with a duplicate',
    patch: {
      cluster: {
        apiServer: {
          admissionControl: [
            {
              name: 'PodSecurity',
              configuration: { exemptions: { namespaces: ['kube-system'] } },
            },
          ],
        },
      },
    },
    field: 'cluster.apiServer.admissionControl',
    log: /log of kube-apiserver \| .*Duplicate value/,
  },
  kubeletSettings: {
    name: 'a configuration of the kubelet that Talos makes nothing of',
    patch: { machine: { kubelet: { extraConfig: { logging: { flushFrequency: 'often' } } } } },
    field: 'machine.kubelet.extraConfig.logging.flushFrequency',
    log: /Talos makes nothing of its settings.*invalid duration/,
    startsNothing: true,
  },
  kubelet: {
    name: 'a kubelet that ends at its start',
    patch: { machine: { kubelet: { extraArgs: { 'max-pods': 'fifty' } } } },
    field: 'machine.kubelet.extraArgs.max-pods',
    log: /log of kubelet \| .*max-pods/,
  },
}

/**
 * Each of these groups of changes of control planes, given at once, stops at the first one, which gets its former
 * config back by itself: nothing was restarted on any other, and nothing is left to do.
 */
export function failingChangesFail(
  cluster: () => RealCluster,
  file: RealFile,
  groups: readonly (readonly string[])[],
): void {
  const nodes = Array.from(
    { length: file.controlPlanes },
    (_, index) => `demo-control-plane-${index + 1}`,
  )
  const write = (controlPlanePatches: readonly JsonObject[] = []) =>
    cluster().bench.write('cluster.yaml', realFile({ ...file, controlPlanePatches }))
  const look = (): Promise<Instances[]> =>
    Promise.all(nodes.map((node) => instancesOf(cluster(), node)))

  for (const group of groups) {
    const changes = group.flatMap((name) => failingChanges[name] ?? [])
    const subject = changes.map(({ name }) => name).join(' with ')
    it(`${subject} stops at the first control plane, which is given its former config back`, async () => {
      const before = await look()
      await write(changes.map(({ patch }) => patch))
      const { code, stdout, stderr } = await cluster().run('apply', '--yes')
      const text = `${stdout}${stderr}`
      expect(code, text).toBe(105)
      for (const { field } of changes) expect(text).toContain(field)
      expect(changes.filter(({ log }) => log.test(text))).not.toEqual([])
      expect(text).toContain('its former config was put back, and it is healthy again')
      const after = await look()
      const [first = [], ...others] = nodes.map((_, index) =>
        restarted(before[index] ?? {}, after[index] ?? {}),
      )
      const runsOn = changes.every(({ startsNothing }) => startsNothing === true)
      expect(first.length === 0).toBe(runsOn)
      expect(first.includes('boot')).toBe(changes.some(({ reboots }) => reboots === true))
      expect(others.flat()).toEqual([])
      expect((await cluster().kubectl('get', '--raw', '/readyz')).stdout).toBe('ok')
      await write()
      const plan = await cluster().run('plan', '--detailed-exitcode')
      expect(plan.code, plan.stdout + plan.stderr).toBe(0)
    })
  }
}
