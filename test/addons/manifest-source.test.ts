import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { bytesDigest } from '../../src/addons/file-digest.ts'
import { createManifestSource } from '../../src/addons/manifest-source.ts'
import { parseManifests } from '../../src/addons/parse-manifests.ts'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n'
const sha256 = bytesDigest(Buffer.from(text))

async function setUp() {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    if (request.url === '/settings.yaml') response.end(text)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen')
  const source = createManifestSource({
    cacheDirectory: await temporaryDirectory(),
    clock: createClock(1000),
    random: seededRandom(1),
  })
  return { source, base: `http://127.0.0.1:${address.port}`, asked: () => asked }
}

test('a manifest is downloaded once, and is what it was', async () => {
  const { source, base, asked } = await setUp()
  const file = { url: `${base}/settings.yaml`, sha256 }
  expect(await source.fetchManifest(file)).toBe(text)
  expect(await source.fetchManifest(file)).toBe(text)
  expect(asked()).toBe(1)
})

test('a manifest that is another one, or not there, is refused', async () => {
  const { source, base } = await setUp()
  const refused = (url: string, digest: string) =>
    expect(source.fetchManifest({ url, sha256: digest })).rejects
  await refused(`${base}/settings.yaml`, 'a'.repeat(64)).toMatchObject({
    code: 'addon-failed',
    message: `the manifest at ${base}/settings.yaml is not the one that was reviewed: its SHA-256 is ${sha256}, expected ${'a'.repeat(64)}`,
  })
  await refused(`${base}/nothing.yaml`, sha256).toMatchObject({
    code: 'addon-failed',
    message: `there is no manifest at ${base}/nothing.yaml`,
  })
})

test('what is no manifest is named by its address, and not quoted', () => {
  for (const page of [
    '<html>canary</html>',
    'a: b: canary',
    '- canary',
    'kind: Secret\nname: canary',
  ]) {
    expect(() => parseManifests(page, 'https://example.com/a')).toThrow(
      /^the manifests of https:\/\/example\.com\/a cannot be read: (?!.*canary)/,
    )
  }
})
