import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { hostPhase } from '../../../src/kubeadm/host/host-phase.ts'
import { kubeadmReady } from '../../../src/kubeadm/host/kubeadm-ready.ts'
import { osReady } from '../../../src/kubeadm/host/os-ready.ts'
import { prepareHost, probeStep } from '../../../src/kubeadm/host/prepare-host.ts'
import { runtimeReady } from '../../../src/kubeadm/host/runtime-ready.ts'
import { makeSigningKey } from '../../../src/sandbox/hosts/signing-key.ts'
import { startHosts } from '../../../src/sandbox/hosts/start-hosts.ts'
import { followJob } from '../../../src/ssh/follow-job.ts'
import { startJob } from '../../../src/ssh/job.ts'
import { runScript } from '../../../src/ssh/run-script.ts'
import { hangLimitMs } from '../../hang-limit.ts'
import { reachHosts } from './reach-hosts.ts'

const steps = [
  osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] }),
  runtimeReady({
    kubernetesVersion: '1.35.4',
    version: '2.3.7',
    source: { type: 'repository' },
    pauseImage: 'registry.k8s.io/pause:3.10.1',
    registryMirrors: {},
    hasGpu: false,
  }),
  kubeadmReady({ version: '1.35.4', newestMinor: '1.37', source: { type: 'repository' } }),
]
const script = (text: string, partial = {}) => ({
  title: 'a script',
  text,
  withinMs: 5 * hangLimitMs,
  ...partial,
})

describe.skipIf(userInfo().uid !== 0)('hosts that exist', () => {
  test('a bare one becomes ready for kubeadm over SSH, and stays so until swap is on again', async () => {
    await using hosts = await reachHosts({ hosts: 1 })
    const { host } = hosts.host('host-1')
    const key = await makeSigningKey('1y')
    for (const name of ['gpg', 'Release.key']) await host.folder.put(`state/web/${name}`, key)
    const evidence = await prepareHost(hosts.prepared('host-1'), steps)
    expect(hostPhase(evidence)).toBe('kubeadm_ready')
    expect(evidence.find(({ check }) => check === 'machine-id')?.seen).toBe(host.machineId)
    expect(await host.folder.read('state/held')).toBe('containerd.io\nkubeadm\nkubelet\nkubectl\n')
    await host.reboot()
    const lost = async () => {
      const seen = await probeStep(
        hosts.prepared('host-1'),
        osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] }),
      )
      return seen.filter(({ state }) => state !== 'passed').map(({ check, seen }) => [check, seen])
    }
    expect(await lost()).toEqual([])
    expect([host.runs('containerd'), host.runs('kubelet')]).toEqual([true, true])
    await host.folder.put('swaps', 'Filename\n/dev/sda2 partition 1 0 -2\n')
    expect(await lost()).toEqual([['swap', 'in use: /dev/sda2']])
  })

  test('a bare one has its swap on again after a reboot, and what ran is gone', async () => {
    await using hosts = await startHosts({ hosts: 1 })
    const { host } = hosts.host('host-1')
    const before = host.bootId
    await host.run('swapoff -a; echo 1 >/proc/sys/net/ipv4/ip_forward; touch /run/a /etc/b /tmp/c')
    await host.reboot()
    expect((await host.run('wc -l </proc/swaps; cat /proc/sys/net/ipv4/ip_forward')).stdout).toBe(
      '2\n0\n',
    )
    expect(['run/a', 'etc/b', 'tmp/c'].map((path) => host.folder.has(path))).toEqual([
      false,
      true,
      false,
    ])
    expect(host.bootId).not.toBe(before)
  })

  test('what is done on one is neither on another nor on this machine, and nothing is left of them', async () => {
    const roots: string[] = []
    {
      await using hosts = await startHosts({ hosts: 2 })
      const made = '/etc/hcloud-talos-made-by-a-test'
      const [one, two] = [hosts.host('host-1').host, hosts.host('host-2').host]
      roots.push(one.folder.root, two.folder.root)
      await one.run(`echo "$(hostname)" >${made}; setsid sleep 10000 >/dev/null 2>&1 &`)
      expect(await one.folder.read(made.slice(1))).toBe('host-1\n')
      expect([two.folder.has(made.slice(1)), existsSync(made)]).toEqual([false, false])
      await two.powerOff()
      expect([one.isOn(), two.isOn()]).toEqual([true, false])
    }
    expect(roots.filter((root) => existsSync(root))).toEqual([])
  })

  test('a user has the rights that sudo gives, behind a jump host', async () => {
    const sudo = { password: 'opens sesame' }
    const options = { hosts: ['bastion', 'a'], user: 'admin', jump: 'bastion' }
    await using hosts = await reachHosts({ ...options, sudo, sudoPassword: sudo.password })
    const whoami = script('id -u; hostname')
    expect(await runScript(hosts.remote('a'), whoami)).toMatchObject({ stdout: '0\na\n' })
    await hosts.host('a').host.folder.put('state/sudo-password', 'another')
    await expect(runScript(hosts.remote('a'), whoami)).rejects.toMatchObject({
      code: 'sudo-rejected',
    })
    await using plain = await reachHosts({ hosts: 1, user: 'admin' })
    expect(await runScript(plain.remote('host-1'), script('touch /etc/x'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Permission denied'),
    })
  })

  test('a job goes on over a cut connection, and is lost with its host', async () => {
    await using hosts = await reachHosts({ hosts: 1, connectWithinMs: hangLimitMs })
    const remote = hosts.remote('host-1')
    const { host, ssh } = hosts.host('host-1')
    const job = {
      name: 'init',
      text: 'echo begins; until [ -e /etc/go ]; do /bin/sleep 0.1; done; echo ends; exit 3',
      withinMs: hangLimitMs,
    }
    const follow = () => followJob(remote, 'init', { withinMs: 5 * hangLimitMs })
    expect(await startJob(remote, job)).toBe('started')
    ssh.cut()
    await host.folder.put('etc/go', '')
    expect(await follow()).toEqual({ code: 3, lastLines: ['begins', 'ends'] })
    await host.folder.remove('etc/go')
    await host.folder.remove('var/lib/hcloud-talos')
    expect(await startJob(remote, job)).toBe('started')
    await host.reboot()
    await expect(follow()).rejects.toMatchObject({ code: 'ssh-interrupted' })
  })

  test('shows what goes wrong with hosts', async () => {
    await using hosts = await reachHosts({ hosts: 1, connectWithinMs: hangLimitMs })
    const remote = hosts.remote('host-1')
    const { host } = hosts.host('host-1')
    host.faults.refusals = 2
    host.faults.cuts.push('before the script', 'at first output')
    await expect(runScript(remote, script('echo a; touch /etc/a'))).rejects.toMatchObject({
      code: 'ssh-interrupted',
    })
    host.faults.isDiskFull = true
    expect(await runScript(remote, script('echo text >/etc/full'))).toMatchObject({ code: 1 })
    host.faults.isDiskFull = false
    await host.folder.put('state/clock-ahead', '-90')
    const { stdout } = await runScript(remote, script('date +%s'))
    expect(Number(stdout)).toBeLessThan(Date.now() / 1_000 - 60)
    host.faults.rejectsLogins = true
    hosts.host('host-1').ssh.cut()
    await expect(runScript(remote, script('true'))).rejects.toMatchObject({
      code: 'ssh-login-rejected',
    })
  })
})
