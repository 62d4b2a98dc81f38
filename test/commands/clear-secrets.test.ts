import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { clusterFile } from './cluster-files.ts'

const talos = { version: 'v1.13.9' }
const withPatch = (patch: JsonObject | string) =>
  clusterFile({}, { talos: { ...talos, patches: [patch] } })
const withValues = (values: JsonObject) => clusterFile({}, { addons: { hcloudCsi: { values } } })

/** The lines at which something is said to stand in plain text. */
function warned({ path, text }: ReturnType<typeof clusterFile>): string[] {
  const { findings } = readClusterFile({ path, text })
  const lines = text.split('\n')
  return findings
    .filter(({ message }) => message.includes('is in plain text'))
    .map(({ position, message, severity, hint }) => {
      expect([severity, hint]).toEqual(['warning', expect.stringContaining('secret set')])
      expect(message).not.toContain('canary')
      return lines[(position?.line ?? 0) - 1]?.trim() ?? ''
    })
}

const withCustom = (addon: JsonObject) => clusterFile({}, { addons: { custom: [addon] } })
const chart = {
  type: 'helm',
  name: 'shop',
  namespace: 'shop',
  repository: 'https://charts.example.com',
  chart: 'example-app',
  version: '1.0.0',
}
const objects = { type: 'manifest', name: 'shop', namespace: 'shop' }
const secret = (value: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'shop' },
    stringData: { anything: value },
  })

const auth = (credentials: JsonObject) => ({
  machine: { registries: { config: { 'ghcr.io': { auth: credentials } } } },
})
const key = '-----BEGIN EC PRIVATE KEY-----\ncanary\n-----END EC PRIVATE KEY-----'
const file = (content: string) => ({
  machine: { files: [{ path: '/var/a', op: 'create', permissions: 384, content }] },
})

describe('A secret in plain text is a warning at its line', () => {
  it.each([
    ['a password', withPatch(auth({ username: 'me', password: 'canary' })), /"password"/],
    ['base64 of both', withPatch(auth({ auth: 'bWU6Y2FuYXJ5' })), /"auth": "b/],
    ['a private key', withPatch(file(key)), /"content"/],
    ['a proxy', withPatch({ machine: { env: { https_proxy: 'http://u:canary@p:1' } } }), /_proxy/],
    ['a known token', withValues({ a: [`x ghp_canary0123456789`] }), /ghp_/],
    [
      'a chart of the user',
      withCustom({ ...chart, values: { password: 'canary-2' } }),
      /"password"/,
    ],
    ['a Secret among manifests', withCustom({ ...objects, inline: [secret('canary')] }), /Secret/],
    ['a value', withValues({ auth: { clientSecret: 'canary-1' } }), /clientSecret/],
  ])('%s', (_, text, line) => {
    expect(warned(text)).toEqual([expect.stringMatching(line)])
  })

  it('in a patch that is a text, and in an operation', () => {
    const text =
      'machine:\n  registries:\n    config:\n      a.b:\n        auth: {password: canary}\n'
    expect(warned(withPatch(text))).toHaveLength(1)
    const operation = { op: 'add', path: '/machine/env', value: { a: 'http://u:canary@p' } }
    expect(warned(clusterFile({}, { talos: { ...talos, patches: [[operation]] } }))).toEqual([
      expect.stringContaining('canary'),
    ])
  })
})

it.each<[string, ReturnType<typeof clusterFile>]>([
  ['a reference', withPatch(auth({ username: 'me', password: `\${secret:a}` }))],
  ['a reference in a URL', withPatch({ machine: { env: { x: `http://u:\${secret:a}@p` } } })],
  [
    'a taint and a label',
    clusterFile(
      {},
      {
        nodes: { controlPlane: { type: 'cx23', taints: [{ key: 'token', effect: 'NoSchedule' }] } },
      },
    ),
  ],
  [
    'a certificate',
    withPatch(file('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')),
  ],
  [
    'the digest of an image',
    withValues({ image: { url: `docker://kubelet:v1@sha256:${'ab'.repeat(32)}` } }),
  ],
  ['a hash', withValues({ checksum: 'aB1'.repeat(20), id: 'ab12'.repeat(16) })],
  ['an age recipient', withValues({ to: `age1${'q'.repeat(58)}` })],
  [
    'the name of a Secret',
    withValues({ existingSecret: 'hcloud', secretName: 'a', tokenRef: 'b' }),
  ],
  ['the path of a token', withValues({ token: '/var/run/token' })],
])('%s is none', (_, text) => {
  expect(warned(text)).toEqual([])
})
