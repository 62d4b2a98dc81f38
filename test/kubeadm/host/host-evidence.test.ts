import { expect, test } from 'vitest'
import { readEvidence } from '../../../src/kubeadm/host/host-evidence.ts'
import { osReady } from '../../../src/kubeadm/host/os-ready.ts'

const where = { host: 'web-1', at: 1_000 }
const read = (stdout: string, code = 0, stderr = '') =>
  new Map(
    readEvidence(
      osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] }),
      { code, stdout, stderr },
      where,
    ).map((one) => [one.check, one]),
  )

test('each check has one evidence, with when, where, what and what was seen', () => {
  const evidence = read('check\tswap\tfailed\tin use: /dev/sda2\ncheck\tclock\tpassed\tyes\n')
  expect([...evidence.keys()]).toEqual(
    osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] }).checks.map(({ id }) => id),
  )
  expect(evidence.get('swap')).toEqual({
    ...where,
    step: 'os_ready',
    check: 'swap',
    words: 'swap is off, and stays off after a reboot',
    state: 'failed',
    seen: 'in use: /dev/sda2',
  })
})

test('what was not reported is unknown, with the reason that the script gave', () => {
  const evidence = read('check\tswap\tpassed\tthere is none\n', 1, 'noise\nbash: awk: not found\n')
  expect(evidence.get('swap')?.state).toBe('passed')
  expect(evidence.get('clock')).toMatchObject({
    state: 'unknown',
    seen: 'not reported (exit code 1): bash: awk: not found',
  })
})

test('lines of others, half lines and states that do not exist report nothing', () => {
  for (const line of [
    'swap passed',
    'check\tswap\tpassed',
    'check\tswap\tfine\tx',
    'x\tswap\tpassed\t',
  ]) {
    expect(read(line).get('swap')?.state).toBe('unknown')
  }
})
