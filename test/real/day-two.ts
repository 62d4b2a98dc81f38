import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readyNodes } from './cluster-facts.ts'
import type { Answer, RealCluster } from './real-cluster.ts'
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

  /** In the namespace whose pods may be whatever they are. */
  function inSystem(...args: string[]): Promise<Answer> {
    return cluster().kubectl('--namespace=kube-system', ...args)
  }

  async function must(...args: string[]): Promise<void> {
    const { code, stderr } = await inSystem(...args)
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
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
    let kills = 0
    for (const seconds of [2, 5, 9, 14]) {
      const ended = await cluster().bench.run(['apply', '--yes'], {
        onStart: (child) => {
          void sleep(seconds * 1_000).then(() => child.kill('SIGKILL'))
        },
      })
      if (ended.signal === null) break
      kills++
    }
    expect(kills).toBeGreaterThan(0)
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
    const overrides = JSON.stringify({ apiVersion: 'v1', spec: { nodeName: worker } })
    const image = '--image=docker.io/library/busybox:1.35.0'
    await must('run', 'risen', image, `--overrides=${overrides}`, '--', '/bin/sleep', '86400')
    await must('wait', 'pod/risen', '--for=condition=Ready', '--timeout=120s')
    await keep('before')
    await cluster().succeed('snapshot', `${backups}/`)
    const [snapshot = ''] = await readdir(backups)
    await keep('after')
    await must('delete', 'pod', 'risen', '--timeout=120s')
    const place = join(backups, snapshot)
    const refused = await cluster().run('restore', '--snapshot', place, '--confirm', 'demo')
    expect(refused.code, refused.stderr).toBe(115)
    await cluster().succeed('restore', '--snapshot', place, '--confirm', 'demo', '--discard-etcd')
    expect(await kept('before')).toBe(true)
    expect(await kept('after')).toBe(false)
    expect(await readyNodes(cluster())).toEqual(['demo-control-plane-1', worker])
    await cluster().succeed('apply', '--yes')
    expect(await plannedKeys()).toEqual([])
    // Its kubelet had ended it once, and ends it again.
    await must('delete', 'pod', 'risen', '--timeout=120s')
  })

  it('a rolling deployment goes through, and a budget holds a drain back', async () => {
    const image = '--image=docker.io/library/busybox:1.35.0'
    const create = ['create', 'deployment', 'rolling', image, '--replicas=2']
    await must(...create, '--', '/bin/sleep', '86400')
    await must('rollout', 'status', 'deployment/rolling', '--timeout=240s')
    await must('set', 'image', 'deployment/rolling', 'busybox=docker.io/library/busybox:latest')
    await must('rollout', 'status', 'deployment/rolling', '--timeout=240s')
    await must(
      'create',
      'poddisruptionbudget',
      'rolling',
      '--selector=app=rolling',
      '--min-available=2',
    )
    const drain = ['drain', worker, '--ignore-daemonsets', '--delete-emptydir-data', '--force']
    const held = await inSystem(...drain, '--timeout=15s')
    expect(held.code).not.toBe(0)
    expect(held.stderr).toContain("would violate the pod's disruption budget")
    await must('delete', 'poddisruptionbudget', 'rolling')
    await must(...drain, '--timeout=240s')
    await must('uncordon', worker)
    await must('delete', 'deployment', 'rolling')
  })

  it('a lost state branch is recreated out of the nodes that run', async () => {
    const { folder } = cluster().bench.sandbox.endpoints.git
    const git = (...args: string[]) => promisify(execFile)('git', ['-C', folder, ...args])
    await git('update-ref', '-d', 'refs/heads/hcloud-talos')
    expect((await cluster().run('plan')).code).not.toBe(0)
    const talosconfig = join(cluster().bench.folder, 'talosconfig')
    await cluster().succeed('recover', '--yes', '--talosconfig', talosconfig)
    expect(await plannedKeys()).toEqual([])
    await cluster().succeed('verify')
  })

  it('revoked secrets open nothing any more, and new ones do, without a reboot', async () => {
    const boot = () => cluster().talosctl(worker, 'read', '/proc/sys/kernel/random/boot_id')
    const before = await boot()
    const prepared = await cluster().succeed('rotate', '--prepare', '--json')
    const { state } = JSON.parse(prepared.stdout)
    await cluster().bench.write('cluster.yaml', realFile({ ...file, state }))
    await cluster().succeed('revoke', '--yes')
    const identity = await readFile(join(cluster().bench.folder, 'age-identity.new.txt'), 'utf8')
    cluster().identity = identity
    const refused = await boot()
    expect(refused.code).not.toBe(0)
    await cluster().fetchAccess()
    expect(await boot()).toEqual(before)
    expect(await plannedKeys()).toEqual([])
  })
}
