import { readFile } from 'node:fs/promises'
import { Agent, type AgentOptions, request } from 'node:https'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import type { ContractCluster } from './cluster-contract.ts'

interface Asked {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly type?: string
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

const configMaps = '/api/v1/namespaces/default/configmaps'
const applyType = 'application/apply-patch+yaml'

/** How the Kubernetes API behaves that the product relies on. */
export function kubernetesContract(cluster: () => ContractCluster): void {
  let access: Promise<{ server: string; keys: AgentOptions }> | undefined

  async function mint() {
    const { bench } = cluster()
    const file = join(bench.folder, 'kubeconfig-contract')
    const ended = await bench.run(['kubeconfig', '--out', file])
    expect(ended.code, ended.stderr).toBe(0)
    const config = parse(await readFile(file, 'utf8'))
    const decoded = (text: string) => Buffer.from(text, 'base64')
    const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster
    const { 'client-certificate-data': cert, 'client-key-data': key } = config.users[0].user
    return { server, keys: { ca: decoded(ca), cert: decoded(cert), key: decoded(key) } }
  }

  async function ask({ method = 'GET', path, body, type = 'application/json' }: Asked) {
    access ??= mint()
    const { server, keys } = await access
    const agent = new Agent(keys)
    return new Promise<Answer>((resolve, reject) => {
      const headers = { Accept: 'application/json', ...(body && { 'Content-Type': type }) }
      const asked = request(`${server}${path}`, { method, agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.once('end', () => {
          agent.destroy()
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
        })
      })
      asked.once('error', reject)
      asked.end(body && JSON.stringify(body))
    })
  }

  const configMap = (data: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'contract', namespace: 'default' },
    data,
  })
  const apply = (data: Record<string, string>, manager: string, query = '') =>
    ask({
      method: 'PATCH',
      path: `${configMaps}/contract?fieldManager=${manager}&fieldValidation=Strict${query}`,
      body: configMap(data),
      type: applyType,
    })

  it('names what is not there, in the words of a Status', async () => {
    expect(await ask({ path: `${configMaps}/unicorn` })).toMatchObject({
      status: 404,
      body: { kind: 'Status', reason: 'NotFound', details: { name: 'unicorn' } },
    })
  })

  it('server-side apply creates, changes, and gives no manager another’s field', async () => {
    expect(await apply({ a: '1' }, 'one')).toMatchObject({ status: 201 })
    expect(await apply({ a: '1' }, 'one')).toMatchObject({ status: 200 })
    expect(await apply({ a: '2' }, 'two')).toMatchObject({
      status: 409,
      body: { reason: 'Conflict', details: { causes: [{ reason: 'FieldManagerConflict' }] } },
    })
    expect(await apply({ a: '2' }, 'two', '&force=true')).toMatchObject({
      status: 200,
      body: { data: { a: '2' } },
    })
  })

  it('what a manager applies no more is gone, and what others applied stays', async () => {
    await apply({ a: '2', b: '1' }, 'two')
    await apply({ c: '1' }, 'three')
    const { body } = await apply({ a: '2' }, 'two')
    expect(body['data']).toEqual({ a: '2', c: '1' })
  })

  it('an unknown field is refused where it is asked to be strict', async () => {
    const answer = await ask({
      method: 'PATCH',
      path: `${configMaps}/contract?fieldManager=one&fieldValidation=Strict`,
      body: { ...configMap({}), unicorn: true },
      type: applyType,
    })
    expect(answer.status).toBe(500)
    expect(JSON.stringify(answer.body)).toContain('unicorn')
  })

  it('creating what is there is a conflict, and deleting tells what went', async () => {
    const create = { method: 'POST', path: configMaps, body: configMap({}) }
    expect(await ask(create)).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } })
    const gone = await ask({ method: 'DELETE', path: `${configMaps}/contract` })
    expect(gone).toMatchObject({ status: 200, body: { kind: 'Status', status: 'Success' } })
    expect(await ask({ path: `${configMaps}/contract` })).toMatchObject({ status: 404 })
  })

  it('a name that no object may have is invalid', async () => {
    const body = { ...configMap({}), metadata: { name: 'No Name', namespace: 'default' } }
    expect(await ask({ method: 'POST', path: configMaps, body })).toMatchObject({
      status: 422,
      body: { reason: 'Invalid' },
    })
  })

  it('nodes carry the provider id of their server, its type and place', async () => {
    const { worker, bench } = cluster()
    const { body } = await ask({ path: `/api/v1/nodes/${worker}` })
    expect(body).toMatchObject({
      metadata: {
        labels: {
          'kubernetes.io/hostname': worker,
          'node.kubernetes.io/instance-type': 'cx23',
          'topology.kubernetes.io/region': 'hel1',
          'topology.kubernetes.io/zone': 'hel1-dc2',
        },
      },
      spec: { providerID: `hcloud://${bench.sandbox.world.machineNamed(worker)?.serverId}` },
      status: {
        addresses: [{ type: 'InternalIP' }, { type: 'Hostname' }, { type: 'ExternalIP' }],
        nodeInfo: { operatingSystem: 'linux', architecture: 'amd64' },
      },
    })
  })

  it('a disruption budget holds an eviction back with 429', async () => {
    const labels = { app: 'contract' }
    const budgets = '/apis/policy/v1/namespaces/kube-system/poddisruptionbudgets'
    const pods = '/api/v1/namespaces/kube-system/pods'
    const image = 'docker.io/library/busybox:latest'
    const container = { name: 'main', image, command: ['/bin/sleep', '3600'] }
    const metadata = { name: 'contract', namespace: 'kube-system' }
    await ask({
      method: 'POST',
      path: budgets,
      body: {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata,
        spec: { minAvailable: 1, selector: { matchLabels: labels } },
      },
    })
    await ask({
      method: 'POST',
      path: pods,
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, labels },
        spec: { containers: [{ ...container, imagePullPolicy: 'IfNotPresent' }] },
      },
    })
    const phase = async () => {
      const { body } = await ask({ path: `${pods}/contract` })
      return JSON.stringify(body['status'] ?? {})
    }
    await expect.poll(phase, { timeout: 60_000, interval: 500 }).toContain('"phase":"Running"')
    const evict = () =>
      ask({
        method: 'POST',
        path: `${pods}/contract/eviction`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata },
      })
    // The budget counts the pod a moment after it is there.
    await expect
      .poll(async () => (await evict()).status, { timeout: 30_000, interval: 500 })
      .toBe(429)
    expect((await evict()).body).toMatchObject({
      reason: 'TooManyRequests',
      details: { causes: [{ reason: 'DisruptionBudget' }] },
    })
    await ask({ method: 'DELETE', path: `${budgets}/contract` })
    await expect
      .poll(async () => (await evict()).status, { timeout: 30_000, interval: 500 })
      .toBe(201)
  })
}
