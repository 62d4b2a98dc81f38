import type { ImageRecord } from './image.ts'

/** Hetzner's stock images, one record for each architecture; only ubuntu-24.04's x86 id is known. */
const stock = [
  {
    x86: 161547269,
    arm: 161547270,
    name: 'ubuntu-24.04',
    flavor: 'ubuntu',
    version: '24.04',
    title: 'Ubuntu 24.04',
  },
  {
    x86: 114690387,
    arm: 114690389,
    name: 'debian-12',
    flavor: 'debian',
    version: '12',
    title: 'Debian 12',
  },
  {
    x86: 310557660,
    arm: 310557661,
    name: 'debian-13',
    flavor: 'debian',
    version: '13',
    title: 'Debian 13',
  },
  {
    x86: 310557680,
    arm: 310557681,
    name: 'rocky-10',
    flavor: 'rocky',
    version: '10',
    title: 'Rocky Linux 10',
  },
] as const

/** The system images of a new project, created before anything of a test is. */
export function systemImages(): ImageRecord[] {
  return stock.flatMap(({ x86, arm, name, flavor, version, title }) =>
    (['x86', 'arm'] as const).map((architecture) => ({
      id: architecture === 'x86' ? x86 : arm,
      type: 'system',
      status: 'available',
      name,
      description: title,
      labels: {},
      created: Date.UTC(2025, 8, 1),
      imageSize: null,
      diskSize: 5,
      createdFrom: null,
      boundTo: null,
      osFlavor: flavor,
      osVersion: version,
      architecture,
      deprecated: null,
      deleteProtected: false,
      content: { kind: 'stock' },
    })),
  )
}
