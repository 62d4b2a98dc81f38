import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import { rigAddresses } from '../../../rig/network/rig-addresses.ts'
import type { ImageStore } from '../../../src/talos/api/methods/image-store.ts'
import type { TalosApi } from '../../../src/talos/api/talos-api.ts'
import { imageArchive } from './image-archive.ts'
import { installerOf } from './machine-entries.ts'
import { allOf, type EntriesOf, refused } from './method-entry.ts'

const busybox = 'docker.io/library/busybox:latest'
const imported = 'docker.io/library/imported:1'

async function pulled({ image }: TalosApi, reference: string, store: ImageStore): Promise<string> {
  const answers = await allOf(image.pull(reference, store))
  const name = answers.at(-1)?.response
  expect(name?.case).toBe('name')
  return String(name?.value)
}

async function names({ image }: TalosApi, store: ImageStore): Promise<string[]> {
  return (await allOf(image.list(store))).map(({ name }) => name)
}

/** Images, since Talos 1.13. */
export const imageEntries: EntriesOf<TalosApi['image']> = {
  async list({ worker: { api } }) {
    const services = await allOf(api.image.list('services'))
    const kubelet = services.find(({ name }) => name === 'ghcr.io/siderolabs/kubelet:v1.35.4')
    expect(kubelet?.size).toBeGreaterThan(10n << 20n)
    expect((await names(api, 'pods')).some((name) => name.includes('/pause:'))).toBe(true)
  },
  async pull({ worker: { api } }) {
    for (const store of ['system', 'services', 'pods'] as const) {
      const name = await pulled(api, busybox, store)
      expect(name).toMatch(/^docker\.io\/library\/busybox@sha256:[0-9a-f]{64}$/)
      expect(await names(api, store)).toEqual(expect.arrayContaining([busybox, name]))
    }
    const absent = allOf(api.image.pull('docker.io/library/unicorn:1', 'pods'))
    await expect(absent).rejects.toThrow('docker.io/library/unicorn:1: not found')
  },
  async import({ worker: { api } }) {
    const registry = `http://${rigAddresses.internet}:5000`
    const archive = await imageArchive(registry, 'library/busybox', 'latest', imported)
    const half = archive.length >> 1
    const pieces = [archive.subarray(0, half), archive.subarray(half)]
    expect((await api.image.import(pieces, 'pods')).name).toBe(imported)
    expect(await names(api, 'pods')).toContain(imported)
  },
  async remove({ worker: { api } }) {
    await pulled(api, busybox, 'services')
    await api.image.remove(busybox, 'services')
    expect(await names(api, 'services')).not.toContain(busybox)
    await expect(api.image.remove(busybox, 'services')).rejects.toThrow('not found')
  },
  async verify({ worker: { api } }) {
    // The node has no rules, and so none that an image keeps.
    expect(await api.image.verify(busybox)).toMatchObject({
      verified: false,
      message: 'no matched rule',
    })
  },
}

/** Talos on a disk, since 1.13. A container has no disk: that of the server is played by the rig. */
export const lifecycleEntries: EntriesOf<TalosApi['lifecycle']> = {
  install: refused(status.ALREADY_EXISTS, /machine is already installed/, ({ spare: { api } }) =>
    api.lifecycle.install('ghcr.io/siderolabs/installer:v1.13.0', '/dev/sda'),
  ),
  async upgrade({ spare }) {
    const { api } = spare
    const name = await pulled(api, await installerOf(spare), 'system')
    const answers = await allOf(api.lifecycle.upgrade(name))
    const last = answers.at(-1)?.progress?.response
    expect(last).toMatchObject({ case: 'exitCode', value: 0 })
    const missing = allOf(api.lifecycle.upgrade('ghcr.io/siderolabs/installer:v1.12.1'))
    await expect(missing).rejects.toThrow('not found')
  },
}

export const debugEntries: EntriesOf<TalosApi['debug']> = {
  async containerRun({ worker: { api } }) {
    await pulled(api, busybox, 'system')
    const script = 'read line; echo "$line $COLOUR"; exit 3'
    const args = ['/bin/sh', '-c', script]
    const container = { image: busybox, args, env: { COLOUR: 'blue' } }
    const input = [{ stdin: Buffer.from('said\n') }]
    const answers = await allOf(api.debug.containerRun(container, input))
    const texts = answers.flatMap(({ resp }) => (resp.case === 'stdoutData' ? [resp.value] : []))
    expect(Buffer.concat(texts).toString('utf8')).toBe('said blue\n')
    expect(answers.at(-1)?.resp).toMatchObject({ case: 'exitCode', value: 3 })
  },
}
