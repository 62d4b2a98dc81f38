import { describe, expect, test } from 'vitest'
import { allocateNodes } from '../../../src/plan/allocate-nodes.ts'
import { componentImages, imageVersion } from '../../../src/talos/config/component-images.ts'
import { clusterSpec } from '../../plan/specs.ts'

const spec = clusterSpec()
const nodes = allocateNodes(spec, undefined)
const controlPlane = nodes.find(({ role }) => role === 'control-plane')
const worker = nodes.find(({ role }) => role === 'worker')
if (!controlPlane || !worker) throw new Error('the sample has nodes of both roles')

describe('The images of a node', () => {
  test('are those of its version, on a worker the kubelet’s alone', () => {
    expect(componentImages(spec, controlPlane)).toEqual({
      'kube-apiserver': 'registry.k8s.io/kube-apiserver:v1.35.0',
      'kube-controller-manager': 'registry.k8s.io/kube-controller-manager:v1.35.0',
      'kube-scheduler': 'registry.k8s.io/kube-scheduler:v1.35.0',
      'kube-proxy': 'registry.k8s.io/kube-proxy:v1.35.0',
      kubelet: 'ghcr.io/siderolabs/kubelet:v1.35.0',
    })
    expect(componentImages(spec, worker)).toEqual({ kubelet: 'ghcr.io/siderolabs/kubelet:v1.35.0' })
  })

  test('may be of two versions, where a node is between them', () => {
    const between = {
      ...spec,
      kubernetes: { ...spec.kubernetes, components: { 'kube-apiserver': '1.36.0' } },
    }
    expect(componentImages(between, controlPlane)).toMatchObject({
      'kube-apiserver': 'registry.k8s.io/kube-apiserver:v1.36.0',
      'kube-scheduler': 'registry.k8s.io/kube-scheduler:v1.35.0',
      kubelet: 'ghcr.io/siderolabs/kubelet:v1.35.0',
    })
  })

  test('are those of a patch where one names others', () => {
    const patch = 'machine: {kubelet: {image: "mirror.example.org/kubelet:v1.35.0-slim"}}'
    const patched = { ...spec, talos: { ...spec.talos, patches: [patch] } }
    const { kubelet = '' } = componentImages(patched, worker)
    expect(kubelet).toBe('mirror.example.org/kubelet:v1.35.0-slim')
    expect(imageVersion(kubelet)).toBe('v1.35.0')
  })

  test.each([
    ['ghcr.io/siderolabs/kubelet:v1.36.3', 'v1.36.3'],
    ['ghcr.io/siderolabs/kubelet:v1.36.0-rc.1', 'v1.36.0-rc.1'],
    ['localhost:5000/kubelet:v1.36.3@sha256:0123', 'v1.36.3'],
    ['localhost:5000/kubelet', undefined],
  ])('%s is of version %s', (image, version) => {
    expect(imageVersion(image)).toBe(version)
  })
})
