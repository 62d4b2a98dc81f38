import { describe, expect, it } from 'vitest'
import { removedSettings } from '../../src/spec/removed-settings.ts'

const step = { from: '1.30.8', to: '1.31.5' }

describe('Settings that Kubernetes removed', () => {
  it('are arguments of the component itself', () => {
    const args = { 'keep-terminated-pod-volumes': 'true', v: '2' }
    expect(removedSettings('kubelet', args, step)).toEqual([
      {
        argument: 'keep-terminated-pod-volumes',
        what: 'the argument keep-terminated-pod-volumes',
        since: '1.31',
      },
    ])
    expect(removedSettings('kube-scheduler', args, step)).toEqual([])
  })

  it('are feature gates of any component, and admission plugins', () => {
    const gates = { 'feature-gates': 'CSINodeExpandSecret=true, SidecarContainers=true' }
    expect(removedSettings('kube-scheduler', gates, step).map(({ what }) => what)).toEqual([
      'the feature gate CSINodeExpandSecret',
    ])
    const plugins = { 'enable-admission-plugins': 'NodeRestriction,SecurityContextDeny' }
    expect(
      removedSettings('kube-apiserver', plugins, { from: '1.29.1', to: '1.30.0' }),
    ).toMatchObject([{ what: 'the admission plugin SecurityContextDeny' }])
  })

  it('count only on the way from the one version to the other', () => {
    const gates = { 'feature-gates': 'CSINodeExpandSecret=true' }
    expect(removedSettings('kubelet', gates, { from: '1.31.0', to: '1.32.0' })).toEqual([])
    expect(removedSettings('kubelet', gates, { from: '1.29.0', to: '1.30.0' })).toEqual([])
    expect(removedSettings('kubelet', gates, { from: '1.31.0', to: '1.31.5' })).toEqual([])
  })
})
