import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readyNodes } from './cluster-facts.ts'
import type { RealCluster } from './real-cluster.ts'
import { type RealFile, realFile } from './real-file.ts'

const worker = 'demo-pool-1'
const keepalive = '/proc/sys/net/ipv4/tcp_keepalive_time'

/** What happens to a cluster of one control plane and one worker, made from this file, in its later life. */
export function dayTwo(cluster: () => RealCluster, file: RealFile): void {
  async function plannedKeys(): Promise<string[]> {
    const { stdout } = await cluster().succeed('plan', '--json')
    const { changes } = JSON.parse(stdout)
    return changes.map(({ action, key }: { action: string; key: string }) => `${action} ${key}`)
  }

  async function keep(name: string): Promise<void> {
    const made = await cluster().kubectl('create', 'configmap', name)
    expect(made.code, made.stderr).toBe(0)
  }

  async function kept(name: string): Promise<boolean> {
    const { stdout } = await cluster().kubectl('get', 'configmaps', '--output=name')
    return stdout.split('\n').includes(`configmap/${name}`)
  }

  it('a config that was changed by hand is found, and healed by the next apply', async () => {
    const before = (await cluster().talosctl(worker, 'read', keepalive)).stdout
    const patch = JSON.stringify({
      machine: { sysctls: { 'net.ipv4.tcp_keepalive_time': '4321' } },
    })
    const patched = await cluster().talosctl(worker, 'patch', 'mc', '--patch', patch)
    expect(patched.code, patched.stderr).toBe(0)
    expect((await cluster().talosctl(worker, 'read', keepalive)).stdout.trim()).toBe('4321')
    expect(await plannedKeys()).toEqual([`update node/${worker}`])
    await cluster().succeed('apply', '--yes')
    expect((await cluster().talosctl(worker, 'read', keepalive)).stdout).toBe(before)
    expect(await plannedKeys()).toEqual([])
  })

  it('an apply that is killed, wherever it is, is finished by the next one', async () => {
    await cluster().bench.write('cluster.yaml', realFile({ ...file, workers: 2 }))
    for (const seconds of [2, 5, 9, 14]) {
      const ended = await cluster().bench.run(['apply', '--yes'], {
        onStart: (child) => {
          void sleep(seconds * 1_000).then(() => child.kill('SIGKILL'))
        },
      })
      if (ended.signal === null) break
    }
    // The lock of a run that died on this machine is broken with proof.
    await cluster().succeed('apply', '--yes')
    expect(await readyNodes(cluster())).toEqual(['demo-control-plane-1', worker, 'demo-pool-2'])
    const names = [...cluster().world.hetzner.servers.values()].map(({ name }) => name)
    expect(names.sort()).toEqual(['demo-control-plane-1', worker, 'demo-pool-2'])
    await cluster().bench.write('cluster.yaml', realFile(file))
    await cluster().succeed('apply', '--yes')
  })

  it('a whole restore brings back what a snapshot holds, and nothing that came later', async () => {
    const backups = join(cluster().bench.folder, 'backups')
    await mkdir(backups)
    await keep('before')
    await cluster().succeed('snapshot', `${backups}/`)
    const [snapshot = ''] = await readdir(backups)
    await keep('after')
    const place = join(backups, snapshot)
    const refused = await cluster().run('restore', '--snapshot', place, '--confirm', 'demo')
    expect(refused.code, refused.stderr).toBe(115)
    await cluster().succeed('restore', '--snapshot', place, '--confirm', 'demo', '--discard-etcd')
    expect(await kept('before')).toBe(true)
    expect(await kept('after')).toBe(false)
    expect(await readyNodes(cluster())).toEqual(['demo-control-plane-1', worker])
    await cluster().succeed('apply', '--yes')
    expect(await plannedKeys()).toEqual([])
  })

  it('a lost state branch is made anew out of the nodes that run', async () => {
    const { folder } = cluster().bench.sandbox.endpoints.git
    const git = (...args: string[]) => promisify(execFile)('git', ['-C', folder, ...args])
    await git('update-ref', '-d', 'refs/heads/hcloud-talos')
    expect((await cluster().run('plan')).code).not.toBe(0)
    const talosconfig = join(cluster().bench.folder, 'talosconfig')
    await cluster().succeed('recover', '--talosconfig', talosconfig)
    expect(await plannedKeys()).toEqual([])
    await cluster().succeed('verify')
  })
}
