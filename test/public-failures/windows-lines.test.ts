import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import { loadHostsSpec } from '../../src/spec/hosts/load-hosts-spec.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { configDigest } from '../../src/talos/config/config-digest.ts'

const folder = join(import.meta.dirname, '../../examples')
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
const ofHosts = 'hosts.yaml'

function load(text: string) {
  const { spec, findings } = loadSpec(text)
  return { spec, findings, nodes: spec ? allocateNodes(spec, undefined) : [] }
}

test(`${ofHosts} with Windows line ends and a byte order mark is the same cluster`, () => {
  const text = readFileSync(join(folder, ofHosts), 'utf8').replaceAll('\r\n', '\n')
  const windows = loadHostsSpec(`\ufeff${text.replaceAll('\n', '\r\n')}`)
  expect(windows).toEqual(loadHostsSpec(text))
  expect(windows.spec?.hosts.length).toBeGreaterThan(1)
})

test.each(files.filter((name) => name !== ofHosts))(
  '%s with Windows line ends and a byte order mark is the same cluster',
  (name) => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    const unix = load(text)
    const windows = load(`\ufeff${text.replaceAll('\n', '\r\n')}`)
    expect(windows).toEqual(unix)
    const digests = ({ spec, nodes }: typeof unix) =>
      spec ? nodes.map((node) => configDigest(spec, node)) : []
    expect(digests(windows)).toEqual(digests(unix))
  },
)
