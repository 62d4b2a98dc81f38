import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommanderError } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TalosVerbName } from '../../src/cli/commands/talos/talos-commands.ts'
import { describeError } from '../../src/lib/describe-error.ts'
import { type ErrorCode, errorCodes } from '../../src/lib/error-codes.ts'
import { startVerbBench, type VerbBench } from './talos-bench.ts'

let at: VerbBench
beforeAll(async () => {
  at = await startVerbBench(3)
  await writeFile(join(at.folder, 'broken.yaml'), 'machine:\n  sysctls: [a]\n')
})
afterAll(() => at[Symbol.asyncDispose]())

const worker = '-n demo-workers-1'
const both = '-n demo-control-plane-1,demo-workers-1'

/** How a line ends: in success, in this failure, or in any of the findings about a file. */
type End = 'success' | ErrorCode

/** What is typed, and how it ends; `FOLDER` is one of this test's own. In an order in which each has the nodes that it needs. */
const ends: Readonly<Record<TalosVerbName, readonly (readonly [words: string, end: End])[]>> = {
  version: [['version', 'success']],
  services: [
    ['services', 'success'],
    ['services kubelet', 'success'],
    // A node without the service is no failure where another one has it.
    [`services etcd ${both}`, 'success'],
    [`services etcd ${worker}`, 'usage'],
    ['services nope', 'usage'],
    ['services nope -o json', 'usage'],
  ],
  containers: [['containers -k', 'success']],
  stats: [['stats -k', 'success']],
  cgroups: [
    ['cgroups', 'success'],
    [`cgroups --preset io ${worker}`, 'success'],
    [`cgroups --preset nope ${worker}`, 'usage'],
  ],
  processes: [['processes', 'success']],
  memory: [['memory', 'success']],
  mounts: [['mounts', 'success']],
  'image list': [['image list', 'success']],
  'image pull': [
    [`image pull registry.k8s.io/pause:3.10 ${worker}`, 'success'],
    [`image pull factory.talos.dev/metal-installer/nope:v1.13.9 ${worker}`, 'talos-refused'],
  ],
  'service restart': [
    [`service restart kubelet --yes ${worker}`, 'success'],
    [`service restart nope --yes ${worker}`, 'usage'],
    ['service restart kubelet --yes', 'usage'],
    [`service restart kubelet ${worker}`, 'not-confirmed'],
  ],
  logs: [
    [`logs kubelet ${worker}`, 'success'],
    [`logs nope ${worker}`, 'talos-refused'],
    // One node has no such log: the other's is printed.
    [`logs etcd ${both}`, 'talos-refused'],
  ],
  dmesg: [['dmesg', 'success']],
  events: [[`events --duration 1 ${worker}`, 'success']],
  get: [
    ['get members', 'success'],
    ['get nonsense', 'usage'],
    [`get services nope ${worker}`, 'talos-refused'],
  ],
  health: [['health', 'success']],
  'etcd members': [
    ['etcd members', 'success'],
    [`etcd members ${worker}`, 'talos-refused'],
  ],
  'etcd status': [['etcd status', 'success']],
  'etcd alarm list': [['etcd alarm list', 'success']],
  'etcd alarm disarm': [
    ['etcd alarm disarm --yes', 'success'],
    ['etcd alarm disarm', 'not-confirmed'],
  ],
  'etcd defrag': [['etcd defrag --yes', 'success']],
  'etcd snapshot': [
    ['etcd snapshot FOLDER/db', 'success'],
    ['etcd snapshot FOLDER/cluster.yaml/db', 'file-unwritable'],
  ],
  read: [
    [`read /etc/hostname ${worker}`, 'success'],
    [`read /etc/nope ${worker}`, 'talos-refused'],
    [`read /etc ${worker}`, 'talos-refused'],
    ['read /etc/hostname', 'usage'],
  ],
  copy: [
    [`copy /etc FOLDER/etc ${worker}`, 'success'],
    [`copy /nope FOLDER/nope ${worker}`, 'talos-refused'],
    ['copy /etc FOLDER/all', 'usage'],
    // Nothing is written over.
    [`copy /etc FOLDER/etc ${worker}`, 'usage'],
  ],
  list: [
    [`list /etc ${worker}`, 'success'],
    [`list /nope ${worker}`, 'talos-refused'],
  ],
  usage: [
    [`usage /etc ${worker}`, 'success'],
    // The node continues with the other path, and so does what is printed.
    [`usage /nope /etc ${worker}`, 'talos-refused'],
  ],
  netstat: [['netstat', 'success']],
  pcap: [
    [`pcap -i eth1 --duration 1 --out FOLDER/a.pcap ${worker}`, 'success'],
    [`pcap -i eth9 --out FOLDER/b.pcap ${worker}`, 'talos-refused'],
  ],
  support: [['support --out FOLDER/support.tar.gz', 'success']],
  patch: [
    [`patch FOLDER/patch.yaml --yes ${worker}`, 'success'],
    [`patch FOLDER/broken.yaml --yes ${worker}`, 'spec-invalid'],
    [`patch FOLDER/nothing.yaml --yes ${worker}`, 'usage'],
  ],
  rollback: [[`rollback --yes --no-gate ${worker}`, 'talos-refused']],
  reboot: [
    [`reboot --yes --no-gate ${worker}`, 'success'],
    ['reboot --yes', 'usage'],
    [`reboot ${worker}`, 'not-confirmed'],
  ],
  reset: [
    ['reset --yes -n demo-workers-2', 'success'],
    ['reset --yes', 'usage'],
  ],
  shutdown: [
    ['shutdown --yes --no-gate -n demo-workers-3', 'success'],
    ['shutdown -n demo-workers-3', 'not-confirmed'],
  ],
}

async function endOf(words: string): Promise<number> {
  const { error } = await at.type(words.replaceAll('FOLDER', at.folder))
  if (error === undefined) return 0
  return error instanceof CommanderError ? errorCodes.usage : describeError(error).exitCode
}

const codeOf = (end: End) => (end === 'success' ? 0 : errorCodes[end])

describe.each(Object.entries(ends))('talos %s', (_verb, lines) => {
  it.each(lines)('%s: %s', async (words, end) => {
    expect(await endOf(words)).toBe(codeOf(end))
  })
})

it('what fails on a node that is off is a failure, also where others answer', async () => {
  const nodes = '-n demo-workers-1,demo-workers-3'
  expect(await endOf(`version ${nodes}`)).toBe(errorCodes['talos-unreachable'])
  expect(await endOf('health --wait-timeout 1')).toBe(errorCodes['talos-refused'])
})

it('the document names each verb with every code that it ends with here', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/talos-commands.md'), 'utf8')
  const [, section = ''] = /## How it ends\n(.*?)(\n## |$)/s.exec(text) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  for (const [verb, lines] of Object.entries(ends)) {
    const row = rows.find((each) => (each.split('|')[1] ?? '').includes(`\`${verb}\``))
    expect(row, verb).toBeDefined()
    const [, , , ours = ''] = row?.split('|') ?? []
    for (const code of new Set(lines.map(([, end]) => codeOf(end)))) {
      // What every verb may end with stands above the table.
      if ([0, errorCodes['not-confirmed']].includes(code)) continue
      expect(ours.match(/\d+/g) ?? [], verb).toContain(String(code))
    }
  }
})
