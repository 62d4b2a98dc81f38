import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts'
import { takeUpTable } from '../../src/talos/config/take-up-table.ts'
import { type Instances, instancesOf, readByTalosctl, restarted } from './instances.ts'
import type { RealCluster } from './real-cluster.ts'
import { type Elsewhere, takeUpValues } from './take-up-values.ts'

/** Talos takes these while it runs, and nothing reads them before the next start or installation. */
const takenUnread = [
  'cluster.etcd',
  'machine.install.disk',
  'machine.install.diskSelector',
  'machine.registries.config',
]
/** Asked for and not given: what these do reaches the machine below, or takes what a node in a container lacks. */
const askedOnly = [
  'cluster.extraManifests',
  'cluster.network.cni',
  'machine.features.imageCache',
  'machine.install.diskSelector',
  'machine.sysfs',
]
/** The classes of the table of which the instances are looked at, in this order. */
const held = ['kube-apiserver', 'kube-apiserver and kube-controller-manager and kube-scheduler']
/** Longer than a kubelet takes to ask Talos for its pods. */
const kubeletAsksWithinMs = 25_000

/** The take-up table, compared with what Talos and its kubelet do on this control plane. */
export function takeUps(cluster: () => RealCluster, node: string): void {
  let values: [string, Json][] = []

  async function change(patch: JsonObject, ...args: string[]): Promise<string> {
    const asked = ['patch', 'machineconfig', '--mode=no-reboot', '--patch', JSON.stringify(patch)]
    const { code, stderr } = await cluster().talosctl(node, ...asked, ...args)
    if (code === 0) return 'taken'
    return stderr.includes("can't be applied in immediate mode") ? 'refused' : stderr.trim()
  }

  /** The instances, once there is one of everything: between two of them there may be none. */
  async function healthyInstances(): Promise<Instances> {
    let seen: Instances = {}
    const missing = async () => {
      seen = await instancesOf(cluster(), node)
      return Object.keys(seen).filter((component) => seen[component] === '')
    }
    await expect.poll(missing, { timeout: 60_000, interval: 1_000 }).toEqual([])
    return seen
  }

  /** What Talos has decided that its kubelet is to run, and the kubelet itself, which Talos runs. */
  async function decisions(): Promise<Instances> {
    const [pods, { kubelet = '' }] = await Promise.all([
      readByTalosctl(cluster(), node, 'get', 'staticpods'),
      instancesOf(cluster(), node),
    ])
    const versions = pods
      .split('\n')
      .map((line) => line.split(/\s+/))
      .flatMap((columns): [string, string][] => {
        const at = columns.findIndex((column) => column.startsWith('kube-'))
        return at < 0 ? [] : [[columns[at] ?? '', columns[at + 1] ?? '']]
      })
    return { ...Object.fromEntries(versions), kubelet }
  }

  async function expectDecided(path: string, value: Json, expected: readonly string[]) {
    const before = await decisions()
    expect(await change(nested(path, value)), path).toBe('taken')
    const decided = async () => restarted(before, await decisions())
    const wait = { timeout: 45_000, interval: 500, message: path }
    await expect.poll(decided, wait).toEqual(expected.toSorted())
    await sleep(1_000)
    expect(await decided(), path).toEqual(expected.toSorted())
  }

  it('every line of the take-up table has another value here', async () => {
    const [config] = parseAllDocuments(
      await readByTalosctl(
        cluster(),
        node,
        'get',
        'machineconfig',
        'v1alpha1',
        '--output=jsonpath={.spec}',
      ),
    )
    const all = takeUpValues(config?.toJSON())
    expect(Object.keys(all).toSorted()).toEqual(Object.keys(takeUpTable).toSorted())
    values = Object.entries(all).flatMap(([path, value]): [string, Json][] =>
      isElsewhere(value) ? [] : [[path, value]],
    )
  })

  it('a running node refuses what the table has as a reboot or a new node, but for what nothing reads before', async () => {
    const asked = await Promise.all(
      values.map(async ([path, value]) => [path, await change(nested(path, value), '--dry-run')]),
    )
    const expected = values.map(([path]) => {
      const { effect } = takeUpTable[path] ?? {}
      const isLater = effect === 'reboot' || effect === 'reinstall'
      return [path, isLater && !takenUnread.includes(path) ? 'refused' : 'taken']
    })
    expect(asked).toEqual(expected)
  })

  it('what is live, nothing, or read at the next start starts nothing again', async () => {
    const given = values.filter(([path]) => {
      const { effect } = takeUpTable[path] ?? {}
      const isTaken = effect === 'live' || effect === 'nothing' || takenUnread.includes(path)
      return isTaken && !askedOnly.includes(path)
    })
    const [before, decided] = [await healthyInstances(), await decisions()]
    const patch = given.reduce<JsonObject>(
      (all, [path, value]) => merged(all, nested(path, value)),
      {},
    )
    expect(await change(patch)).toBe('taken')
    await sleep(kubeletAsksWithinMs)
    expect(restarted(decided, await decisions())).toEqual([])
    expect(restarted(before, await instancesOf(cluster(), node))).toEqual([])
  })

  for (const restarts of held) {
    it(`what restarts ${restarts} restarts just that`, async () => {
      const expected = restarts.split(' and ')
      const before = await healthyInstances()
      for (const [path, value] of values) {
        const line = takeUpTable[path]
        if (line?.restarts.join(' and ') === restarts) await expectDecided(path, value, expected)
      }
      const started = async () => restarted(before, await instancesOf(cluster(), node))
      await expect.poll(started, { timeout: 120_000, interval: 1_000 }).toEqual(expected.toSorted())
    })
  }
}

function nested(path: string, value: Json): JsonObject {
  const [first = '', ...rest] = path.split('.')
  return { [first]: rest.length === 0 ? value : nested(rest.join('.'), value) }
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const all = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = all[key]
    all[key] = isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value
  }
  return all
}

function isElsewhere(value: Json | Elsewhere): value is Elsewhere {
  return typeof value === 'object' && value !== null && 'elsewhere' in value
}
