import { chmod, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateObject } from '../../src/sandbox/kubernetes/api/update-object.ts'
import { type KubeObject, withSpec } from '../../src/sandbox/kubernetes/model/kube-object.ts'
import { objectAt } from '../../src/sandbox/kubernetes/model/read-json.ts'
import { pollLimitMs } from '../hang-limit.ts'
import { madeUpUfw } from '../sandbox/hosts/made-up-ufw.ts'
import { type HostsCluster, startHostsCluster } from './hosts-run.ts'

const first = ['cp-1', 'worker-1']
const all = [...first, 'worker-2']
const rulesFile = 'state/ufw-rules'
/** Longer than a join takes, in seconds of hosts, which are fifty in one: whoever does not wait for it has joined before. */
const slowSeconds = 3_000

describe.skipIf(userInfo().uid !== 0)(
  'nodes of a cluster on hosts, and what they are to one another',
  () => {
    let rack: HostsCluster
    beforeAll(async () => {
      rack = await startHostsCluster({ hosts: all })
      await putUfw(madeUpUfw)
      await rack.apply(first)
    })
    afterAll(() => rack[Symbol.asyncDispose]())

    const host = (name: string) => rack.hosts.host(name).host
    const rules = () => host('cp-1').folder.read(rulesFile)
    const rule = (name: string) => `allow from ${host(name).address} comment`
    async function putUfw(program: string): Promise<void> {
      const { folder } = host('cp-1')
      await folder.put('bin/ufw', program)
      await chmod(join(folder.root, 'bin/ufw'), 0o755)
    }
    const writtenAt = async (name: string, path: string) =>
      (await stat(join(host(name).folder.root, path))).mtimeMs
    const kubernetes = () => {
      const [cluster] = rack.hosts.clusters.all
      if (!cluster) throw new Error('there is a cluster')
      return cluster.kubernetes
    }
    const isReady = async (name: string) => {
      const { nodes } = await rack.status(all)
      return nodes.find((node) => node.name === name)?.ready
    }

    test('a node lets another host in before that one joins', async () => {
      expect(await rules()).toContain(rule('worker-1'))
      await putUfw(
        madeUpUfw.replace('case "$1 $2" in', `[ "$1" != allow ] || sleep ${slowSeconds}\n$&`),
      )
      await rack.apply(all)
      await putUfw(madeUpUfw)
      expect(await rules()).toContain(rule('worker-2'))
      const joined = await writtenAt('worker-2', 'etc/kubernetes/kubelet.conf')
      expect(await writtenAt('cp-1', rulesFile)).toBeLessThan(joined)
    })

    test('no node is stopped while one that an earlier run stopped is not back', async () => {
      const { context } = kubernetes()
      const cordoned = (live: KubeObject) => ({
        ...withSpec(live, { ...objectAt(live, 'spec'), unschedulable: true }),
        metadata: { ...live.metadata, annotations: { 'hcloud-talos/cordoned-by': 'run-7' } },
      })
      const nodes = context.resources.builtin('nodes')
      updateObject(context, nodes, 'worker-1', cordoned, { manager: 'hcloud-talos' })
      await host('worker-1').run('systemctl stop kubelet')
      await expect.poll(() => isReady('worker-1'), { timeout: pollLimitMs }).toBe(false)
      await host('worker-2').folder.put('swaps', 'Filename\n/dev/sda2 partition 1 0 -2\n')
      await expect(rack.apply(all)).rejects.toThrow(
        /worker-1, which the run run-7 took out of service, is not back/,
      )
      expect(await host('worker-2').folder.read('swaps')).toContain('/dev/sda2')
      await host('worker-1').run('systemctl start kubelet')
      await rack.apply(all)
      expect(await host('worker-2').folder.read('swaps')).not.toContain('/dev/sda2')
      expect((await rack.status(all)).nodes.map(({ cordonedBy }) => cordonedBy)).toEqual([
        null,
        null,
        null,
      ])
    })

    test('nobody lets a host in any more that has left', async () => {
      await rack.apply(first)
      expect(await rules()).not.toContain(rule('worker-2'))
      expect(await rules()).toContain(rule('worker-1'))
      expect(rack.hosts.world.contractErrors).toEqual([])
    })
  },
)
