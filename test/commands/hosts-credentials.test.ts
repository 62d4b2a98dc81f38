import { X509Certificate } from 'node:crypto'
import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { hostsCredentials } from '../../src/commands/modes/kubeadm/hosts-credentials.ts'
import { hostsMode } from '../../src/commands/modes/kubeadm/hosts-mode.ts'
import { mintInMode } from '../../src/commands/modes/mint-in-mode.ts'
import { createTransport } from '../../src/kubernetes/api-transport.ts'
import { readKubeconfig } from '../../src/kubernetes/kubeconfig.ts'
import { clientOver } from '../../src/kubernetes/kubernetes-client.ts'
import { listNodes } from '../../src/kubernetes/nodes.ts'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { type HostsCluster, startHostsCluster } from './hosts-run.ts'
import { listeningProgress } from './listening-progress.ts'

const names = ['cp-1', 'worker-1']

describe.skipIf(userInfo().uid !== 0)('a kubeconfig of a cluster on hosts', () => {
  let rack: HostsCluster
  beforeAll(async () => {
    rack = await startHostsCluster({ hosts: names })
    await rack.apply(names)
  })
  afterAll(() => rack[Symbol.asyncDispose]())

  async function mint(hours: number, lines: string[] = []) {
    const context = { ...(await rack.run()), progress: listeningProgress(lines) }
    const input = { file: rack.file(names), hours }
    const { kubeconfig } = await mintInMode(hostsMode, context, input, hostsCredentials)
    const { users, clusters } = parse(kubeconfig)
    const { 'client-certificate-data': crt, 'client-key-data': key } = users[0].user
    const certificate = new X509Certificate(Buffer.from(crt, 'base64'))
    return {
      context,
      kubeconfig,
      certificate,
      key: String(key),
      server: clusters[0].cluster.server,
    }
  }

  async function nodesBy(kubeconfig: string): Promise<string[]> {
    const transport = createTransport(await readKubeconfig(kubeconfig), 30_000)
    const environment = { clock: createClock(), random: seededRandom(1) }
    const { signal } = new AbortController()
    try {
      const nodes = await listNodes(clientOver(transport, { ...environment, signal, retries: 0 }))
      return nodes.map(({ name }) => name).toSorted()
    } finally {
      transport.close()
    }
  }

  test('is accepted at the endpoint, and its group is one that can lose its rights', async () => {
    const before = Date.now()
    const { kubeconfig, certificate, server } = await mint(100)
    expect(server).toBe(`https://${rack.hosts.balancer}:6443`)
    expect(await nodesBy(kubeconfig)).toEqual(names)
    expect(certificate.subject).toContain('O=kubeadm:cluster-admins')
    const ends = Date.parse(certificate.validTo)
    expect(ends).toBeGreaterThan(before + 99 * 3_600_000)
    expect(ends).toBeLessThanOrEqual(Date.now() + 100 * 3_600_000)
  })

  test('is rejected once it has ended', async () => {
    const { kubeconfig } = await mint(1 / 3_600)
    await expect(nodesBy(kubeconfig)).rejects.toMatchObject({ code: 'kubernetes-refused' })
  })

  test('has a key that is in no line of the run, hidden from then on, and on no disk of the host', async () => {
    const lines: string[] = []
    const { context, key } = await mint(24, lines)
    const pem = Buffer.from(key, 'base64').toString('utf8')
    expect(pem).toContain('PRIVATE KEY')
    expect(lines.join('\n')).not.toContain(key)
    expect(context.redactor.redact(`${key} ${pem}`)).not.toMatch(/[A-Za-z0-9+/]{40}/)
    const { host } = rack.hosts.host('cp-1')
    const found = await host.run('grep -rlF -- "$1" /etc /run /root /tmp /var/lib || true', [key])
    expect(found.stdout).toBe('')
    const left = await host.run('ls -A /run | grep kubeadm || true')
    expect(left.stdout).toBe('')
  })

  test('that lives long is noted, so that people are warned before it ends', async () => {
    await mint(1_000)
    const context = await rack.run()
    await using session = await hostsMode.open(context, rack.file(names))
    const generation = await session.store.read()
    expect(generation?.journal.at(-1)).toMatchObject({
      fact: 'access-minted',
      detail: { what: 'kubeconfig', hours: '1000' },
    })
  })

  test('is not minted where nobody signs', async () => {
    const { host } = rack.hosts.host('cp-1')
    const key = await host.folder.read('etc/kubernetes/pki/ca.key')
    await host.run('rm /etc/kubernetes/pki/ca.key')
    await expect(mint(24)).rejects.toMatchObject({ code: 'kubernetes-unreachable' })
    await host.folder.put('etc/kubernetes/pki/ca.key', key, 0o600)
    await mint(24)
  })
})
