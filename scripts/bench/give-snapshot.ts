import { imageLabels } from '../../src/hetzner/kinds/image/image-record.ts'
import type { World } from '../../src/sandbox/world.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { schematicOf } from '../../src/talos/config/schematic.ts'

/** Puts the snapshot into the project that a cluster file's nodes are made from, as an earlier build left it. */
export function giveSnapshot({ hetzner }: World, clusterFile: string): void {
  const { spec } = loadSpec(clusterFile)
  if (!spec) throw new Error('the cluster file of the bench has mistakes')
  const { version } = spec.talos
  const schematic = schematicOf(spec)
  const id = hetzner.nextId()
  hetzner.images.set(id, {
    id,
    type: 'snapshot',
    status: 'available',
    name: null,
    description: `Talos ${version}`,
    labels: imageLabels({ arch: 'amd64', version, schematic }),
    created: hetzner.now(),
    imageSize: 2.3,
    diskSize: 40,
    createdFrom: null,
    boundTo: null,
    osFlavor: 'debian',
    osVersion: null,
    architecture: 'x86',
    deprecated: null,
    deleteProtected: false,
    content: { kind: 'talos', version, schematic, arch: 'amd64' },
  })
}
