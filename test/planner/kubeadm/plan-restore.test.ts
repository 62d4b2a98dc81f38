import { describe, expect, test } from 'vitest'
import type { HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import { planRestore, restoredHosts } from '../../../src/planner/kubeadm/plan-restore.ts'
import { rackOf, runningView, withHost, withSpec, withUnreached } from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1'])
const controlPlanes = ['cp-1', 'cp-2', 'cp-3']

/** A cluster whose etcd answers nobody, on hosts that carry its mark. */
function lost(): HostsView {
  const running = { ...runningView(rack), cluster: undefined }
  const uid = running.generation?.inventory.uid ?? ''
  const mark = { cluster: 'rack', uid, generation: 7, keyEpoch: 1, hasLeft: false }
  return controlPlanes.reduce<HostsView>(
    (view, name) => withHost(view, name, (host) => ({ ...host, mark })),
    running,
  )
}

const withTraces = (
  view: HostsView,
  name: string,
  traces: Readonly<Record<string, boolean | undefined>>,
) => withHost(view, name, (host) => ({ ...host, traces: { ...host.traces, ...traces } }))

const bareTraces = {
  caHash: undefined,
  hasCaKey: false,
  hasAdminConf: false,
  hasKubeletConf: false,
  hasEtcdData: false,
}

describe('a restore on hosts', () => {
  test('stops every control plane that is there, begins on one with the keys, and lets the others join', () => {
    expect(restoredHosts(lost())).toEqual({
      there: controlPlanes,
      beginning: controlPlanes,
      silent: [],
      bare: [],
      joining: controlPlanes,
    })
    expect(planRestore(lost())).toEqual({ creates: [], findings: [] })
  })

  test('prepares a control plane that was reset or is another machine, and joins it as one that is new', () => {
    const view = withHost(withTraces(lost(), 'cp-2', bareTraces), 'cp-3', (host) => ({
      ...host,
      mark: undefined,
      machineId: 'another',
      traces: { ...host.traces, ...bareTraces },
    }))
    const { there, beginning, bare, joining } = restoredHosts(view)
    expect({ there, beginning, bare, joining }).toEqual({
      there: ['cp-1'],
      beginning: ['cp-1'],
      bare: ['cp-2', 'cp-3'],
      joining: controlPlanes,
    })
    const { creates, findings } = planRestore(view)
    expect(creates.map(({ action, key }) => `${action} ${key}`).toSorted()).toEqual([
      'replace host/cp-3',
      'replace node/cp-2',
      'replace node/cp-3',
    ])
    expect(findings).toEqual([])
  })

  test('stops one that the file does not name any more, and neither begins on it nor lets it join', () => {
    const view = withSpec(lost(), rackOf(['cp-1'], ['worker-1']))
    expect(restoredHosts(view)).toMatchObject({
      there: controlPlanes,
      beginning: ['cp-1'],
      joining: ['cp-1'],
    })
  })

  test('takes none that is not reached for gone, unless the file does not name it', () => {
    const view = withUnreached(lost(), 'cp-2')
    expect(restoredHosts(view)).toMatchObject({ there: ['cp-1', 'cp-3'], silent: ['cp-2'] })
    const without = withUnreached(withSpec(lost(), rackOf(['cp-1', 'cp-3'], ['worker-1'])), 'cp-2')
    expect(restoredHosts(without)).toMatchObject({ there: ['cp-1', 'cp-3'], silent: [] })
  })

  test('leaves a host alone that has left, and kept its files', () => {
    const view = withHost(lost(), 'cp-3', ({ mark, ...host }) => ({
      ...host,
      mark: mark && { ...mark, hasLeft: true },
    }))
    expect(restoredHosts(view).there).toEqual(['cp-1', 'cp-2'])
  })

  test('leaves a host alone that is of another cluster, and refuses it', () => {
    const other = `sha256:${'b'.repeat(64)}`
    const view = withHost(lost(), 'cp-2', (host) => ({
      ...host,
      traces: { ...host.traces, caHash: other },
    }))
    expect(restoredHosts(view).there).toEqual(['cp-1', 'cp-3'])
    expect(planRestore(view).findings.map(({ message }) => message)).toEqual([
      `cp-2 is of another cluster: its authority is ${other}`,
    ])
  })

  test('is refused where no control plane has the keys of the authority any more', () => {
    const view = controlPlanes.reduce((all, name) => withTraces(all, name, bareTraces), lost())
    const { findings } = planRestore(view)
    expect(findings).toMatchObject([
      {
        severity: 'error',
        message: expect.stringContaining(
          '(cp-1, cp-2, cp-3): they were on the control planes alone',
        ),
        hint: expect.stringContaining('Put a copy of /etc/kubernetes of a control plane'),
      },
    ])
    // One that does not answer may have them.
    expect(planRestore(withUnreached(view, 'cp-3')).findings).toEqual([])
  })
})
