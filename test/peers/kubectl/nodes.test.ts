import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cilium, deployment } from '../../sandbox/kubernetes/sample-objects.ts'
import { type KubectlCluster, startKubectlCluster } from './kubectl-cluster.ts'

let cluster: KubectlCluster

beforeAll(async () => {
  cluster = await startKubectlCluster()
})

afterAll(() => cluster.close())

describe('kubectl and the nodes of the simulated cluster', () => {
  test('sees them without a network first', async () => {
    const table = await cluster.must('get nodes')
    expect(table).toMatch(/^NAME +STATUS +ROLES +AGE +VERSION\n/)
    expect(table).toMatch(/^demo-control-plane-1 +NotReady +control-plane +\S+ +v1\.32\.0$/m)
    expect(await cluster.must('describe node demo-workers-1')).toContain(
      'cni plugin not initialized',
    )
    const { code, stderr } = await cluster.run(
      'wait --for=condition=Ready nodes --all --timeout=1s',
    )
    expect(code).toBe(1)
    expect(stderr).toContain('timed out waiting for the condition on nodes/demo-workers-1')
  })

  test('waits until they are Ready', async () => {
    await cluster.must('apply --server-side -f -', cilium)
    const output = await cluster.must('wait --for=condition=Ready nodes --all --timeout=60s')
    expect(output).toContain('node/demo-workers-2 condition met')
    const wide = await cluster.must('get nodes -o wide')
    expect(wide).toMatch(/demo-workers-1 +Ready +<none> .* 10\.0\.64\.2 .*Talos \(v1\.9\.0\)/)
  })

  test('labels, annotates and taints', async () => {
    await cluster.must('label node demo-workers-1 disk=ssd')
    expect(await cluster.must('get nodes -l disk=ssd -o name')).toBe('node/demo-workers-1\n')
    await cluster.must('label node demo-workers-1 disk-')
    expect(await cluster.must('get nodes -l disk -o name')).toBe('')
    await cluster.must('annotate node demo-workers-1 note=hello')
    expect(
      await cluster.must('get node demo-workers-1 -o jsonpath={.metadata.annotations.note}'),
    ).toContain('hello')
    await cluster.must('taint node demo-workers-1 only=tests:NoSchedule')
    expect(await cluster.must('describe node demo-workers-1')).toContain('only=tests:NoSchedule')
    await cluster.must('taint node demo-workers-1 only-')
    expect(await cluster.must('describe node demo-workers-1')).not.toContain('only=tests')
  })

  test('refuses to drain what would lose something, and drains when told how', async () => {
    const spec = {
      tolerations: [
        { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists' },
        { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
      ],
      volumes: [{ name: 'scratch', emptyDir: {} }],
      nodeSelector: { 'kubernetes.io/os': 'linux' },
    }
    await cluster.must('apply --server-side -f -', deployment({ replicas: 4, spec }))
    await cluster.must('rollout status deployment/web --timeout=60s')
    const plain = await cluster.run('drain demo-workers-1')
    expect(plain.code).toBe(1)
    expect(plain.stderr).toContain('cannot delete DaemonSet-managed Pods')
    expect(plain.stderr).toContain('cannot delete Pods with local storage')
    expect(await cluster.must('get node demo-workers-1')).toContain('Ready,SchedulingDisabled')

    await cluster.must('create poddisruptionbudget web --selector=app=web --min-available=100%')
    const drain = 'drain demo-workers-1 --ignore-daemonsets --delete-emptydir-data'
    const blocked = await cluster.run(`${drain} --timeout=2s`)
    expect(blocked.code).toBe(1)
    expect(blocked.stderr).toContain(
      "Cannot evict pod as it would violate the pod's disruption budget.",
    )

    await cluster.must('patch pdb web --type=merge -p {"spec":{"minAvailable":1}}')
    expect(await cluster.must(`${drain} --timeout=60s`)).toContain('node/demo-workers-1 drained')
    const left = await cluster.must(
      'get pods -A --field-selector spec.nodeName=demo-workers-1 -o name',
    )
    expect(left).toMatch(/^pod\/cilium-\w+\n$/)
  })

  test('lets pods come back after uncordoning', async () => {
    expect(await cluster.must('uncordon demo-workers-1')).toContain('uncordoned')
    expect(await cluster.must('cordon demo-workers-2')).toContain('cordoned')
    await cluster.must('rollout restart deployment/web')
    await cluster.must('rollout status deployment/web --timeout=60s')
    const places = await cluster.must('get pods -l app=web -o jsonpath={.items[*].spec.nodeName}')
    expect(new Set(places.trim().split(' '))).toEqual(
      new Set(['demo-workers-1', 'demo-control-plane-1']),
    )
    await cluster.must('uncordon demo-workers-2')
  })

  test('deletes a node, and its pods with it', async () => {
    await cluster.must('delete node demo-workers-2')
    const { code, stderr } = await cluster.run('get node demo-workers-2')
    expect(code).toBe(1)
    expect(stderr).toBe('Error from server (NotFound): nodes "demo-workers-2" not found\n')
    expect(
      await cluster.must('get pods -A --field-selector spec.nodeName=demo-workers-2 -o name'),
    ).toBe('')
  })

  test('approves the certificates that kubelets ask for', async () => {
    const [name = ''] = (await cluster.must('get csr -o name')).split('\n')
    expect(await cluster.must('get csr')).toMatch(/kubernetes\.io\/kubelet-serving .* Pending/)
    expect(await cluster.must(`describe ${name}`)).toContain('Common Name:    system:node:demo-')
    expect(
      await cluster.must(
        `certificate approve ${name.replace('certificatesigningrequest.certificates.k8s.io/', '')}`,
      ),
    ).toContain('approved')
    await cluster.must(`wait --for=jsonpath={.status.certificate} ${name} --timeout=30s`)
    expect(await cluster.must(`get ${name}`)).toContain('Approved,Issued')
  })
})
