import { expect, it } from 'vitest'
import { takenUpBy, takeUpOf } from '../../../src/talos/config/change-effect.ts'
import { documents, structs } from '../../../src/talos/config/gen/talos-fields.ts'
import { settingHomes } from '../../../src/talos/config/reshape/setting-homes.ts'
import { documentTakeUps, takeUpTable } from '../../../src/talos/config/take-up-table.ts'

/** The fields of a struct, by name. */
function fieldsOf(struct: string): string[] {
  return Object.keys(structs[struct] ?? {})
}

/** `version`, `machine.sysctls`, `cluster.apiServer`: what a v1alpha1 document may hold, two deep. */
const known = [
  ...fieldsOf('v1alpha1.Config').filter((name) => name !== 'machine' && name !== 'cluster'),
  ...fieldsOf('v1alpha1.MachineConfig').map((name) => `machine.${name}`),
  ...fieldsOf('v1alpha1.ClusterConfig').map((name) => `cluster.${name}`),
]

it('every field that any Talos knows has a line of its own', () => {
  expect(known.length).toBeGreaterThan(50)
  expect(known.filter((path) => !Object.hasOwn(takeUpTable, path))).toEqual([])
})

it('no line is of a field that no Talos has', () => {
  const roots = Object.keys(takeUpTable).map((path) => path.split('.').slice(0, 2).join('.'))
  expect(roots.filter((path) => !known.includes(path))).toEqual([])
  const kinds = Object.keys(documentTakeUps).map((name) => name.split('.')[0] ?? '')
  // Those of Talos 1.14 are ahead of the tables of fields.
  const ours = kinds.filter((kind) => !kind.startsWith('Kube'))
  expect(ours.filter((kind) => !Object.hasOwn(documents, kind))).toEqual([])
})

it('a field below one that has a line is taken up as that one, and the longest line decides', () => {
  const of = (path: string) => takeUpOf('', path.split('.'))
  expect(of('cluster.apiServer.extraArgs.v')).toEqual({
    effect: 'restart',
    restarts: ['kube-apiserver'],
  })
  expect(of('cluster.apiServer.certSANs').restarts).toHaveLength(3)
  expect(of('cluster.etcd.extraArgs.quota-backend-bytes').effect).toBe('reboot')
  expect(of('machine.install.image').effect).toBe('nothing')
  expect(of('machine.install.disk').effect).toBe('reinstall')
  expect(takeUpOf('LinkConfig', ['mtu']).effect).toBe('live')
  expect(takeUpOf('VolumeConfig', ['encryption', 'provider']).effect).toBe('reinstall')
  expect(takeUpOf('VolumeConfig', ['mount']).effect).toBe('reboot')
})

it('what a document of 1.14 says is taken up as in the old shape', () => {
  const different = settingHomes.flatMap(({ old, kind, path, form }) => {
    const [before, after] = [takeUpOf('', old), takeUpOf(kind, path)]
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    return isSame || form === 'elsewhere'
      ? []
      : [`${old.join('.')}: ${before.effect} ${after.effect}`]
  })
  expect(different.sort()).toEqual([
    // One line for both, which nobody changes in a cluster that runs.
    'machine.controlPlane.controllerManager.disabled: restart restart',
    'machine.controlPlane.scheduler.disabled: restart restart',
    // Where a node is installed is one field with whether that is wiped before.
    'machine.install.wipe: nothing reinstall',
    // A kubelet registers with the taints of its document.
    'machine.nodeTaints: live restart',
  ])
})

it('a field that nobody knows may take a reboot', () => {
  expect(takeUpOf('', ['machine', 'someday']).effect).toBe('reboot')
})

it('a worker starts nothing again that only a control plane has', () => {
  const all = ['cluster.network', 'cluster.apiServer', 'machine.kubelet', 'machine.files'].map(
    (path) => takeUpOf('', path.split('.')),
  )
  expect(takenUpBy('control-plane', all)).toEqual(all)
  expect(takenUpBy('worker', all)).toEqual([
    { effect: 'restart', restarts: ['kubelet'] },
    { effect: 'live', restarts: [] },
    { effect: 'restart', restarts: ['kubelet'] },
    { effect: 'reboot', restarts: [] },
  ])
})
