import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cilium,
  configMap,
  daemonSet,
  deployment,
} from '../../sandbox/kubernetes/sample-objects.ts'
import { type KubectlCluster, startKubectlCluster } from './kubectl-cluster.ts'

let cluster: KubectlCluster

beforeAll(async () => {
  cluster = await startKubectlCluster()
  await cluster.must('apply --server-side -f -', cilium)
  await cluster.must('wait --for=condition=Ready nodes --all --timeout=60s')
})

afterAll(() => cluster.close())

const spec = { tolerations: [{ operator: 'Exists' }] }

describe('kubectl and the simulated API', () => {
  test('agrees about versions and about what there is', async () => {
    expect(await cluster.must('version')).toContain('Server Version: v1.36.0')
    const resources = await cluster.must('api-resources')
    expect(resources).toMatch(/^pods +po +v1 +true +Pod$/m)
    expect(resources).toMatch(/^daemonsets +ds +apps\/v1 +true +DaemonSet$/m)
    expect(resources).toMatch(/^poddisruptionbudgets +pdb +policy\/v1 +true/m)
    expect((await cluster.must('api-versions')).split('\n')).toContain('storage.k8s.io/v1')
    expect(await cluster.must('cluster-info')).toContain('Kubernetes control plane')
  })

  test('may do everything', async () => {
    expect(await cluster.must('auth can-i delete nodes')).toBe('yes\n')
    expect(await cluster.must('auth whoami')).toContain('system:masters')
  })

  test('creates from its own types, and finds again what it made', async () => {
    await cluster.must('create namespace shop')
    await cluster.must('-n shop create configmap settings --from-literal=colour=red')
    await cluster.must('-n shop create secret generic key --from-literal=token=abc')
    await cluster.must('-n shop create serviceaccount seller')
    await cluster.must('-n shop create deployment till --image=nginx:1.27 --replicas=1')
    expect(await cluster.must('-n shop get secret key -o jsonpath={.data.token}')).toBe('YWJj')
    expect(await cluster.must('-n shop get cm settings -o yaml')).toContain('colour: red')
    expect(await cluster.must('-n shop get all')).toMatch(/deployment\.apps\/till +0\/1/)
    await cluster.must('delete namespace shop --timeout=60s')
    expect((await cluster.run('get namespace shop')).code).toBe(1)
  })

  test.each([
    'json',
    'yaml',
    'wide',
    'name',
    'jsonpath={.items[*].metadata.name}',
    'custom-columns=NAME:.metadata.name',
  ])('prints pods as %s', async (printer) => {
    expect(await cluster.must(`get pods -n kube-system -o ${printer}`)).toContain('coredns')
  })

  test.each([
    'nodes',
    'pods -A',
    'services',
    'deployments -A',
    'daemonsets -A',
    'namespaces',
    'events -A',
    'csr',
    'leases -A',
    'priorityclasses',
    'csinodes',
    'replicasets -A',
    'endpointslices -A',
    'serviceaccounts',
    'configmaps',
    'storageclasses',
    'crds',
  ])('lists %s', async (what) => {
    const { code, stderr } = await cluster.run(`get ${what}`)
    expect(code).toBe(0)
    expect(stderr.replace('No resources found\n', '')).toBe('')
  })

  test('applies on the server: create, the same again, a change, a conflict, by force', async () => {
    const apply = (manager: string, image: string, flags = '') =>
      cluster.run(
        `apply --server-side --field-manager=${manager} ${flags} -f -`,
        deployment({ image, spec: {}, name: 'ssa' }),
      )
    const made = await apply('us', 'nginx:1')
    expect(made.stdout).toBe('deployment.apps/ssa serverside-applied\n')
    const version = () => cluster.must('get deployment ssa -o jsonpath={.metadata.resourceVersion}')
    await cluster.must('wait --for=jsonpath={.status.replicas}=2 deployment/ssa --timeout=30s')
    const before = await version()
    await apply('us', 'nginx:1')
    expect(await version()).toBe(before)
    await apply('us', 'nginx:2')
    const refused = await apply('them', 'nginx:3')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(
      'Apply failed with 1 conflict: conflict with "us": .spec.template.spec.containers[name="ssa"].image',
    )
    expect((await apply('them', 'nginx:3', '--force-conflicts')).code).toBe(0)
    expect((await apply('us', 'nginx:4', '--dry-run=server --force-conflicts')).code).toBe(0)
    expect(
      await cluster.must(
        'get deployment ssa -o jsonpath={.spec.template.spec.containers[0].image}',
      ),
    ).toBe('nginx:3')
  })

  test('is told of fields that do not exist', async () => {
    const { code, stderr } = await cluster.run('apply --server-side -f -', {
      ...configMap('odd'),
      nonsense: 1,
    })
    expect(code).toBe(1)
    expect(stderr).toContain('.nonsense: field not declared in schema')
    const created = await cluster.run('create -f -', { ...configMap('odd'), nonsense: 1 })
    expect(created.stderr).toContain('unknown field "nonsense"')
  })

  test('applies on its own side: create, unchanged, a change, a field taken away', async () => {
    const apply = (data: Record<string, string>) =>
      cluster.must('apply -f -', configMap('mine', data))
    expect(await apply({ a: '1', b: '2' })).toBe('configmap/mine created\n')
    expect(await apply({ a: '1', b: '2' })).toBe('configmap/mine unchanged\n')
    expect(await apply({ a: '3' })).toBe('configmap/mine configured\n')
    expect(await cluster.must('get cm mine -o jsonpath={.data}')).toBe('{"a":"3"}')
    await cluster.must('apply -f -', deployment({ name: 'mine', spec }))
    const added = deployment({ name: 'mine', spec: {}, image: 'nginx:2' })
    expect(await cluster.must('apply -f -', added)).toBe('deployment.apps/mine configured\n')
    expect(await cluster.must('get deployment mine -o yaml')).not.toContain('tolerations')
    expect((await cluster.must('diff -f -', added)).trim()).toBe('')
  })

  test('goes on on the server with what it applied on its own side', async () => {
    await cluster.must('apply -f -', configMap('moved', { a: '1' }))
    expect(
      await cluster.must('apply --server-side -f -', configMap('moved', { a: '2' })),
    ).toContain('serverside-applied')
    expect(await cluster.must('get cm moved -o jsonpath={.data.a}')).toBe('2')
  })

  test('follows rollouts, history and restarts', async () => {
    await cluster.must('apply --server-side -f -', deployment({ name: 'roll', spec }))
    expect(await cluster.must('rollout status deployment/roll --timeout=60s')).toContain(
      'successfully rolled out',
    )
    await cluster.must('set image deployment/roll roll=nginx:9')
    await cluster.must('rollout status deployment/roll --timeout=60s')
    expect(await cluster.must('rollout history deployment/roll')).toMatch(/^2 /m)
    await cluster.must('rollout undo deployment/roll')
    await cluster.must('rollout status deployment/roll --timeout=60s')
    expect(
      await cluster.must(
        'get deployment roll -o jsonpath={.spec.template.spec.containers[0].image}',
      ),
    ).toBe('nginx:1.27')
    await cluster.must('scale deployment/roll --replicas=3')
    await cluster.must(
      'wait --for=jsonpath={.status.readyReplicas}=3 deployment/roll --timeout=60s',
    )
    await cluster.must('apply --server-side -f -', daemonSet({ spec }))
    expect(await cluster.must('rollout status daemonset/agent --timeout=60s')).toContain(
      'successfully rolled out',
    )
  })

  test('describes what runs', async () => {
    const [pod = ''] = (await cluster.must('get pods -l app=roll -o name')).split('\n')
    const described = await cluster.must(`describe ${pod}`)
    expect(described).toMatch(/Status: +Running/)
    expect(described).toContain('Successfully assigned default/')
    expect(await cluster.must('describe deployment roll')).toMatch(
      /Replicas: +3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable/,
    )
    expect(await cluster.must('describe service kubernetes')).toContain('10.96.0.1')
    expect(await cluster.must('describe daemonset agent')).toContain('Pods Status:  3 Running')
  })

  test('watches', async () => {
    const watching = cluster.run('get cm -l seen=yes -w --request-timeout=3s')
    await cluster.must('create cm seen --from-literal=a=1')
    await cluster.must('label cm seen seen=yes')
    expect((await watching).stdout).toMatch(/^seen +1/m)
  })

  test('waits for deletion and deletes by label', async () => {
    await cluster.must('delete deployment -l app=roll')
    await cluster.must('delete deployment roll --wait=true --timeout=60s')
    await cluster.must('wait --for=delete pod -l app=roll --timeout=60s')
    expect(await cluster.must('get pods -l app=roll -o name')).toBe('')
  })

  test('handles kinds that it learns of from a definition', async () => {
    await cluster.must('apply --server-side -f -', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
              },
            },
          },
        ],
      },
    })
    await cluster.must('wait --for=condition=Established crd/widgets.example.org --timeout=30s')
    const widget = {
      apiVersion: 'example.org/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { size: 3 },
    }
    await cluster.must('apply --server-side -f -', widget)
    expect(await cluster.must('get widgets')).toMatch(/^NAME +SIZE\nw +3\n$/)
    expect(await cluster.must('apply -f -', { ...widget, metadata: { name: 'c' } })).toContain(
      'created',
    )
    await cluster.must('delete crd widgets.example.org')
    expect((await cluster.run('get widgets')).code).toBe(1)
  })

  test('never brought the simulated API out of step', () => {
    expect(cluster.world.contractErrors).toEqual([])
  })
})
