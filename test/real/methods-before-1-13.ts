import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { parseTalosconfig } from '../../src/talos/config/parse-talosconfig.ts'
import { allOf, bytesOf, refused } from './methods/method-entry.ts'
import type { RealCluster } from './real-cluster.ts'

const busybox = 'docker.io/library/busybox:latest'

/** What a node of Talos 1.12 answers in another way, or not at all. */
export function methodsBefore13(cluster: () => RealCluster, name: string): void {
  it('a node of Talos 1.12 has no services for images, the lifecycle and debugging', async () => {
    const file = join(cluster().bench.folder, 'talosconfig')
    const { credentials } = parseTalosconfig(await readFile(file, 'utf8'), file)
    const address = cluster().world.machineNamed(name)?.publicIp ?? ''
    using client = new TalosClient({ address, credentials })
    const { machine, image, lifecycle, debug, storage, time } = talosApi(client)
    const absent = [
      () => image.list('pods'),
      () => image.pull(busybox, 'pods'),
      () => image.import([Uint8Array.of(1)], 'pods'),
      () => image.remove(busybox, 'pods'),
      () => image.verify(busybox),
      () => lifecycle.install('ghcr.io/siderolabs/installer:v1.12.1', '/dev/sda'),
      () => lifecycle.upgrade('ghcr.io/siderolabs/installer:v1.12.1'),
      () => debug.containerRun({ image: busybox }),
    ]
    for (const call of absent) await refused(status.UNIMPLEMENTED, /unknown service/, call)()
    // What they took the place of is there, and so is the rest.
    await machine.imagePull(busybox, 'services')
    const images = await allOf(machine.imageList('services'))
    expect(images.map((each) => each.name)).toContain(busybox)
    expect((await machine.version()).version?.tag).toBe('v1.12.1')
    expect(String(await bytesOf(machine.read('/etc/os-release')))).toContain('VERSION_ID=v1.12.1')
    expect((await machine.etcdDowngradeValidate('3.5')).clusterDowngrade?.clusterVersion).toBe(
      '3.6',
    )
    expect((await storage.disks()).disks).toEqual([])
    await refused(status.UNKNOWN, /error querying NTP server/, () => time.time())()
  })
}
