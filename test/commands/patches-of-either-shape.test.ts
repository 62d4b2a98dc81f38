import { expect, test } from 'vitest'
import type { Finding } from '../../src/lib/finding.ts'
import { FindingsError } from '../../src/lib/findings-error.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'

const fileOf = (contract: string, more: string) => ({
  path: 'cluster.yaml',
  text: `clusterName: demo
hetzner:
  region: hel1
nodes:
  controlPlane: { count: 1, type: cx23 }
  workers: { count: 1, type: cx23 }
talos:
  version: v1.14.1
  contract: ${contract}
${more}`,
})
const kubernetes = `kubernetes:
  version: 1.37.0
`

/** Line, path, message and hint of each error. */
function judged(contract: string, more: string): string[] {
  return findingsOf(contract, more)
    .filter(({ severity }) => severity === 'error')
    .map(
      ({ position, path, message, hint }) =>
        `${position?.line} ${path.join('.')}: ${message} -> ${hint}`,
    )
}

function findingsOf(contract: string, more: string): readonly Finding[] {
  try {
    return readClusterFile(fileOf(contract, more)).findings
  } catch (error) {
    if (error instanceof FindingsError) return error.findings
    throw error
  }
}

const oldPatch = `  patches:
    - |
      machine:
        kubelet:
          extraConfig:
            maxPods: 100
`
const newPatch = `  patches:
    - |
      apiVersion: v1alpha1
      kind: KubeletConfig
      config:
        maxPods: 100
`

test('patches of both shapes fit the documents, and those of the old shape alone the sections', () => {
  expect(judged('v1.14', oldPatch + kubernetes)).toEqual([])
  expect(judged('v1.14', newPatch + kubernetes)).toEqual([])
  expect(judged('v1.13', oldPatch + kubernetes)).toEqual([])
  expect(judged('v1.13', newPatch + kubernetes)).toEqual([
    expect.stringMatching(/^12 talos.patches.0: KubeletConfig: image is needed -> /),
    expect.stringMatching(
      /^12 talos.patches.0: KubeletConfig and machine.kubelet exclude each other -> Set it in machine.kubelet, .* Rewrite it, or let .*`talos.contract: v1.14`/,
    ),
  ])
})

test('each setting without a place is named at its line, with the way out', () => {
  const patch = `  workerPatches:
    - |
      machine:
        install:
          extraKernelArgs: [quiet]
        kubelet:
          extraMounts:
            - destination: /var/own
              source: /var/own
              type: bind
  controlPlanePatches:
    - |
      cluster:
        apiServer:
          extraArgs:
            authorization-mode: AlwaysAllow
`
  const none = 'has no place in the documents of the contract v1.14'
  expect(judged('v1.14', patch + kubernetes).filter((line) => line.includes('no place'))).toEqual([
    `14 talos.workerPatches.0: machine.install.extraKernelArgs ${none} -> Write them into talos.kernelArgs, which builds them into the image. Rewrite it, or let the machine configs have the shape that it fits with \`talos.contract: v1.13\`.`,
    `16 talos.workerPatches.0: machine.kubelet.extraMounts ${none} -> Remove it, or keep the shape that has it with \`talos.contract: v1.13\`.`,
    expect.stringMatching(
      /^25 talos.controlPlanePatches.0: cluster.apiServer.extraArgs.authorization-mode has no place .* -> Write KubeAuthorizerConfig documents\./,
    ),
  ])
})

test('so is a field of the file', () => {
  const args = `${kubernetes}  apiServerExtraArgs:
    v: "2"
    authorization-mode: Node,RBAC
`
  expect(judged('v1.14', args)).toEqual([
    '14 kubernetes.apiServerExtraArgs.authorization-mode: cluster.apiServer.extraArgs.authorization-mode has no place in the documents of the contract v1.14 -> Write KubeAuthorizerConfig documents. Rewrite it, or let the machine configs have the shape that it fits with `talos.contract: v1.13`.',
  ])
  expect(judged('v1.13', args).filter((line) => line.includes('no place'))).toEqual([])
})

test('a patch that pins an image or contradicts the file is one in either shape', () => {
  const patches = `  patches:
    - |
      apiVersion: v1alpha1
      kind: KubeNetworkConfig
      podSubnets: [10.200.0.0/16]
    - machine: { kubelet: { image: "ghcr.io/siderolabs/kubelet:v1.36.0" } }
`
  expect(judged('v1.14', patches + kubernetes)).toEqual([
    expect.stringMatching(
      /^14 talos.patches.0: KubeNetworkConfig: podSubnets is not network.podRange of the cluster file/,
    ),
    expect.stringMatching(
      /^15 talos.patches.1: machine.kubelet.image pins kubelet to another version/,
    ),
  ])
})
