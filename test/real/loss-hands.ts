import { expect } from 'vitest'
import { drillBlock } from '../docs/command-blocks.ts'
import { type DrillName, drills } from '../drills/drill-table.ts'
import { makeReader } from '../drills/reader.ts'
import { type Typed, typeCommands } from '../drills/type-commands.ts'
import { etcdMembers, readyNodes } from './cluster-facts.ts'
import type { RealCluster } from './real-cluster.ts'

/** What a drill on real nodes does to a cluster, and looks for in it. */
export interface LossHands {
  /** Deletes servers as if in the console, and returns when they are gone. */
  deleteServers(names: readonly string[]): Promise<void>
  /** Takes a server's power away and gives it back. */
  resetServer(name: string): Promise<void>
  /** Writes something into Kubernetes that can be looked for afterwards. */
  keep(name: string): Promise<void>
  kept(name: string): Promise<boolean>
  /** Types the commands of a drill's page as they are printed, at a terminal; prints its time and its loss. */
  type(name: DrillName, answers: readonly (readonly [string, string])[]): Promise<Typed>
  /** Members of etcd, nodes, and a plan without changes, by new credentials. */
  expectHealthy(): Promise<void>
}

export interface LossNodes {
  readonly controlPlanes: readonly [string, ...string[]]
  readonly workers: readonly string[]
}

export function lossHands(
  cluster: () => RealCluster,
  { controlPlanes, workers }: LossNodes,
): LossHands {
  async function hetzner(method: string, path: string): Promise<void> {
    const { endpoint, token } = cluster().bench.sandbox.endpoints.hcloud
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(`${endpoint}${path}`, { method, headers })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
  }

  const serversOf = (names: readonly string[]) =>
    [...cluster().world.hetzner.servers.values()].filter(({ name }) => names.includes(name))

  return {
    async deleteServers(names) {
      for (const { id } of serversOf(names)) await hetzner('DELETE', `/servers/${id}`)
      await expect.poll(() => serversOf(names).length, { timeout: 60_000 }).toBe(0)
    },
    async resetServer(name) {
      for (const { id } of serversOf([name])) await hetzner('POST', `/servers/${id}/actions/reset`)
    },
    async keep(name) {
      const made = await cluster().kubectl('create', 'configmap', name)
      expect(made.code, made.stderr).toBe(0)
    },
    async kept(name) {
      const { stdout } = await cluster().kubectl('get', 'configmaps', '--output=name')
      return stdout.split('\n').includes(`configmap/${name}`)
    },
    async type(name, answers) {
      const { environment } = await makeReader(cluster().bench)
      const { text } = drillBlock(name)
      const { folder } = cluster().bench
      const typed = await typeCommands(text, { shell: 'dash', folder, environment, answers })
      process.stdout.write(`${name}: ${typed.seconds.toFixed(0)} s; lost: ${drills[name]}\n`)
      return typed
    },
    async expectHealthy() {
      await cluster().fetchAccess()
      expect(await etcdMembers(cluster(), controlPlanes[0])).toEqual(controlPlanes)
      expect(await readyNodes(cluster())).toEqual([...controlPlanes, ...workers])
      const plan = await cluster().run('plan', '--detailed-exitcode')
      expect(plan.code, plan.stdout + plan.stderr).toBe(0)
    },
  }
}
