import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { criticalPath, type Shape } from '../../scripts/bench/critical-path.ts'
import type { Delay } from '../../src/sandbox/delay.ts'

const serverKinds = [
  'create_server',
  'attach_to_network',
  'start_server',
  'boot-talos',
  'configure',
]

const one: Shape = {
  builders: [],
  loadBalancers: [],
  controlPlanes: ['control-1'],
  workers: ['worker-1', 'worker-2'],
}

function delay(target: string, what: string, ms: number, subject?: string): Delay {
  return { what, target, at: 0, ms, ...(subject === undefined ? {} : { subject }) }
}

function server(target: string, ...ms: readonly number[]): Delay[] {
  return serverKinds.map((what, index) => delay(target, what, ms[index] ?? 0))
}

describe('the chain that no client can avoid', () => {
  test('follows single servers, and never adds the slowest creation of one to the slowest boot of another', () => {
    const path = criticalPath(
      [...server('worker-1', 100, 0, 0, 10), ...server('worker-2', 20, 0, 0, 80)],
      one,
    )
    expect(path.at).toBe(110)
  })

  test('waits for the image before servers are made, and not for the network', () => {
    const image = [
      delay('builder', 'create_server', 5),
      delay('builder', 'boot-rescue', 30),
      delay('builder', 'create_image', 100),
    ]
    const path = criticalPath(
      [...image, delay('network', 'add_subnet', 50), ...server('worker-1', 20, 3)],
      { ...one, builders: ['builder'] },
    )
    expect(path.at).toBe(5 + 30 + 100 + 20 + 3)
  })

  test('counts the network where it takes longer than making the server', () => {
    const subnets = [delay('network', 'add_subnet', 40), delay('network', 'add_subnet', 50)]
    const path = criticalPath([...subnets, ...server('worker-1', 20, 3)], one)
    expect(path.at).toBe(93)
  })

  test('begins etcd when every control plane is configured, and takes the others in one by one', () => {
    const controlPlanes = ['control-1', 'control-2', 'control-3'] as const
    const delays = [
      ...server('control-1', 10),
      ...server('control-2', 70),
      ...server('control-3', 20),
      ...controlPlanes.flatMap((node, at) => [
        { ...delay(node, 'etcd-start', 5), at },
        delay(node, 'etcd-learn', 3),
        delay(node, 'kubernetes-api', 20),
      ]),
    ]
    const path = criticalPath(delays, { ...one, controlPlanes: [...controlPlanes] })
    expect(path.at).toBe(70 + 5 + (5 + 3) + 5 + 20)
  })

  test('starts kubelets of workers when the first API server answers', () => {
    const delays = [
      ...server('worker-1', 10),
      delay('control-1', 'etcd-start', 5),
      delay('control-1', 'kubernetes-api', 30),
      delay('worker-1', 'kubelet', 8),
    ]
    expect(criticalPath(delays, one).at).toBe(43)
  })

  test('starts pods when the network of their own node runs, and those of the host before', () => {
    const delays = [
      delay('worker-1', 'host-pod', 30, 'kube-system/cilium-abcde'),
      delay('worker-1', 'pod', 5, 'kube-system/hcloud-csi-node-abcde'),
      delay('worker-2', 'host-pod', 2, 'kube-system/cilium-fghij'),
      delay('worker-2', 'pod', 25, 'kube-system/hcloud-csi-node-fghij'),
      delay('worker-2', 'pod', 99, 'kube-system/coredns-1'),
    ]
    expect(criticalPath(delays, one).at).toBe(35)
  })

  test('ends when the rule of the run is shut again', () => {
    const rules = [delay('worker-1', 'remove_firewall', 7), delay('worker-2', 'remove_firewall', 4)]
    expect(criticalPath([...server('worker-1', 10), ...rules], one).at).toBe(17)
  })
})

const names = { controlPlanes: ['c-1', 'c-2', 'c-3'], workers: ['w-1', 'w-2', 'w-3', 'w-4'] }

const shapes: fc.Arbitrary<Shape> = fc
  .record({ builders: fc.nat(1), balancers: fc.nat(1), others: fc.nat(2), workers: fc.nat(4) })
  .map(({ builders, balancers, others, workers }) => ({
    builders: builders === 0 ? [] : ['builder'],
    loadBalancers: balancers === 0 ? [] : ['balancer'],
    controlPlanes: ['c-1', ...names.controlPlanes.slice(1, 1 + others)],
    workers: names.workers.slice(0, workers),
  }))

const delays: fc.Arbitrary<Delay[]> = fc.array(
  fc.record({
    target: fc.constantFrom(
      ...names.controlPlanes,
      ...names.workers,
      'builder',
      'balancer',
      'network',
    ),
    what: fc.constantFrom(
      ...serverKinds,
      ...['enable_rescue', 'boot-rescue', 'image-download', 'shutdown_server', 'create_image'],
      ...['add_subnet', 'create_load_balancer', 'add_target', 'etcd-start', 'etcd-learn'],
      ...['kubernetes-api', 'kubelet', 'host-pod', 'pod', 'remove_firewall', 'request'],
    ),
    subject: fc.constantFrom('kube-system/cilium-a', 'kube-system/hcloud-csi-b', 'kube-system/x'),
    at: fc.nat(1_000),
    ms: fc.integer({ min: 1, max: 1_000 }),
  }),
  { maxLength: 120 },
)

/** One delay for each target and kind, so that nothing depends on which was the first. */
const distinct = delays.map((all) => [
  ...new Map(all.map((one) => [`${one.target} ${one.what}`, one])).values(),
])

const sum = (chain: readonly Delay[]) => chain.reduce((total, { ms }) => total + ms, 0)

describe('laws of the critical path', () => {
  test('it is the sum of its chain, and never more than all there was', () => {
    fc.assert(
      fc.property(delays, shapes, (all, shape) => {
        const { at, chain } = criticalPath(all, shape)
        expect(at).toBe(sum(chain))
        expect(at).toBeLessThanOrEqual(sum(all))
        expect(new Set(chain).size).toBe(chain.length)
        for (const step of chain) expect(all).toContain(step)
      }),
    )
  })

  test('it is at least as long as what any one server went through', () => {
    fc.assert(
      fc.property(distinct, shapes, (all, shape) => {
        const { at } = criticalPath(all, shape)
        for (const node of [...shape.controlPlanes, ...shape.workers]) {
          const own = all.filter(
            ({ target, what }) => target === node && serverKinds.includes(what),
          )
          expect(at).toBeGreaterThanOrEqual(sum(own))
        }
      }),
    )
  })

  test('a delay that grows never makes it shorter', () => {
    fc.assert(
      fc.property(distinct, shapes, fc.nat(), fc.nat(500), (all, shape, pick, more) => {
        const grown = all.map((one, index) =>
          index === pick % Math.max(1, all.length) ? { ...one, ms: one.ms + more } : one,
        )
        expect(criticalPath(grown, shape).at).toBeGreaterThanOrEqual(criticalPath(all, shape).at)
      }),
    )
  })

  test('in a world that is slower by a factor it is longer by the same', () => {
    fc.assert(
      fc.property(delays, shapes, fc.integer({ min: 2, max: 9 }), (all, shape, factor) => {
        const slower = all.map((one) => ({ ...one, ms: one.ms * factor }))
        expect(criticalPath(slower, shape).at).toBe(criticalPath(all, shape).at * factor)
      }),
    )
  })

  test('the order in which delays are told does not matter', () => {
    fc.assert(
      fc.property(distinct, shapes, (all, shape) => {
        expect(criticalPath(all.toReversed(), shape).at).toBe(criticalPath(all, shape).at)
      }),
    )
  })

  test('what a client does a second time does not count', () => {
    fc.assert(
      fc.property(distinct, shapes, (all, shape) => {
        const again = all
          .filter(({ what }) => serverKinds.includes(what))
          .map((one) => ({ ...one, at: one.at + 1, ms: one.ms + 1 }))
        expect(criticalPath([...all, ...again], shape).at).toBe(criticalPath(all, shape).at)
      }),
    )
  })
})
