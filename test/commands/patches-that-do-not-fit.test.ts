import { describe, expect, test } from 'vitest'
import { FindingsError } from '../../src/lib/findings-error.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'

const head = `clusterName: demo
hetzner:
  region: hel1
kubernetes:
  version: 1.36.3
`

/** What is wrong with a file: line, column, path and message of each. */
function mistakes(text: string): (readonly [string, string, string])[] {
  try {
    readClusterFile({ path: 'cluster.yaml', text })
    return []
  } catch (error) {
    if (!(error instanceof FindingsError)) throw error
    const errors = error.findings.filter(({ severity }) => severity === 'error')
    return errors.map(({ position, path, message }) => [
      `${position?.line}:${position?.column}`,
      path.join('.'),
      message,
    ])
  }
}

describe('a patch that does not fit the config of its nodes is told with its line', () => {
  test('as a text in the file', () => {
    const text = `${head}talos:
  version: v1.13.9
  patches:
    - |
      machine:
        sysctls:
          net.core.somaxconn: "1024"
        kubelet: [no, mapping]
nodes:
  controlPlane: { count: 1, type: cx23 }
`
    expect(mistakes(text)).toEqual([
      ['13:9', 'talos.patches.0', 'machine.kubelet is a mapping, and the patch has a list'],
    ])
  })

  test('in a document of its own', () => {
    const text = `${head}talos:
  version: v1.13.9
  workerPatches:
    - |
      machine: {sysctls: {a: "1"}}
      ---
      apiVersion: v1alpha1
      kind: HostnameConfig
      auto: [on]
nodes:
  controlPlane: { count: 1, type: cx23 }
  workers: { count: 1, type: cx23 }
`
    expect(mistakes(text)).toEqual([
      ['14:7', 'talos.workerPatches.0', 'auto is a string, and the patch has a list'],
    ])
  })

  test('as a mapping of the file', () => {
    const text = `${head}talos:
  version: v1.13.9
  controlPlanePatches:
    - machine:
        network:
          extraHostEntries: []
    - cluster:
        etcd:
          extraArgs: { listen: x }
        proxy: 7
nodes:
  controlPlane: { count: 1, type: cx23 }
`
    expect(mistakes(text)).toEqual([
      [
        '15:9',
        'talos.controlPlanePatches.1',
        'cluster.proxy is a mapping, and the patch has a number',
      ],
    ])
  })

  test('as an operation of a JSON patch, in a text and in place', () => {
    const text = `${head}talos:
  version: v1.13.9
  patches:
    - |
      - op: add
        path: /machine/sysctls
        value: {}
      - op: remove
        path: /machine/gone
  controlPlanePatches:
    - - { op: add, path: /machine/env, value: {} }
      - { op: add, path: /gone/gone, value: 1 }
nodes:
  controlPlane: { count: 1, type: cx23 }
`
    expect(mistakes(text)).toEqual([
      ['13:7', 'talos.patches.0', 'operation 2: nothing is at /machine/gone'],
      ['17:9', 'talos.controlPlanePatches.0', 'operation 2: nothing is at /gone/gone'],
    ])
  })

  test('of one pool among several, in the short form too', () => {
    const pool = (patches: string) => `${head}talos: { version: v1.13.9 }
nodes:
  controlPlane: { count: 1, type: cx23 }
  workers:
${patches}`
    const list = pool(`    - { name: plain, count: 1, type: cx23 }
    - name: odd
      count: 1
      type: cx23
      patches:
        - machine: { sysctls: { nothing: { $patch: delete } } }
`)
    const short = pool(`    count: 1
    type: cx23
    patches:
      - machine: { sysctls: { nothing: { $patch: delete } } }
`)
    const message = 'nothing to delete: machine.sysctls.nothing is not there'
    expect(mistakes(list)).toEqual([['15:33', 'nodes.workers.1.patches.0', message]])
    expect(mistakes(short)).toEqual([['13:31', 'nodes.workers.0.patches.0', message]])
  })
})

test('every patch that does not fit is told at once, each once however many nodes it is for', () => {
  const text = `${head}talos:
  version: v1.13.9
  controlPlanePatches: [{ machine: { kubelet: 1 } }]
  workerPatches: [{ machine: { install: 1 } }]
nodes:
  controlPlane: { count: 3, type: cx23 }
  workers:
    - { name: a, count: 2, type: cx23 }
    - { name: b, count: 2, type: cx23 }
`
  expect(mistakes(text).map(([, path]) => path)).toEqual([
    'talos.controlPlanePatches.0',
    'talos.workerPatches.0',
  ])
})

test('a patch that fits is no mistake', () => {
  const text = `${head}talos:
  version: v1.13.9
  patches: [{ machine: { sysctls: { a: "1" } } }]
nodes:
  controlPlane: { count: 1, type: cx23 }
`
  expect(mistakes(text)).toEqual([])
})
