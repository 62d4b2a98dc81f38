import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import type { HttpExchange } from '../../src/lib/http-exchange.ts'
import { Redactor, redacted } from '../../src/lib/redactor.ts'
import { cleanExchange } from '../../src/run/clean-exchange.ts'
import { openExchangeRecorder } from '../../src/run/exchange-recorder.ts'

const known = 'known-secret "of this run" 0123456789'
const pem = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEICanary\n-----END EC PRIVATE KEY-----\n'
const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPublicPublicPublicPublicPublicPublicPub demo'

const exchangeOf = (parts: Partial<HttpExchange>): HttpExchange => ({
  front: 'hetzner',
  method: 'POST',
  path: '/servers',
  request: undefined,
  status: 201,
  headers: new Headers(),
  response: '',
  ...parts,
})

function clean(parts: Partial<HttpExchange>) {
  const redactor = new Redactor()
  redactor.add(known)
  return cleanExchange(exchangeOf(parts), '2026-11-29T00:00:00.000Z', (text) =>
    redactor.redact(text),
  )
}

const answer = (body: unknown) => clean({ response: JSON.stringify(body) }).response

describe('A recorded exchange', () => {
  it('has no secret that the run knows, in no part of it', () => {
    const body = JSON.stringify({ labels: { [known]: known }, description: `it is ${known}` })
    const query = new URLSearchParams({ name: known })
    const recorded = clean({
      path: `/servers?${query}`,
      request: body,
      response: body,
      headers: new Headers({ link: `<https://x/?${known}>` }),
    })
    expect(JSON.stringify(recorded)).not.toContain('known-secret')
    expect(recorded.path).toBe(`/servers?${new URLSearchParams({ name: redacted })}`)
  })

  it.each([
    ['root_password', 'x'],
    ['user_data', 'machine: {}'],
    ['private_key', pem],
    ['privateKey', pem],
    ['token', 'x'],
    ['registrationToken', 'x'],
    ['client_secret', 'x'],
    ['api_key', 'x'],
    ['psk', 'x'],
  ])('has no %s, whoever knows it', (field, value) => {
    expect(answer({ server: { [field]: value, list: [{ [field]: [value] }] } })).toEqual({
      server: { [field]: redacted, list: [{ [field]: [redacted] }] },
    })
  })

  it.each([
    ['a private key', `before ${pem} after`],
    ['the beginning of a private key', pem.slice(0, 40)],
    ['a private key in base64', `key: ${Buffer.from(pem).toString('base64')}`],
    ['an age identity', 'AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQ'],
    ['a token of GitHub', 'it was ghs_0123456789abcdefCanary'],
    ['a key of object storage', 'it was AKIA0123456789ABCDEF'],
    ['a parameter of a URL', 'at https://example.com/hook?token=Canary'],
    ['a header', 'Authorization: Bearer canary-canary'],
    ['an address with a password', 'https://somebody:canary@example.com/x'],
  ])('has not %s in a text', (_, text) => {
    expect(answer({ body: text })).not.toEqual({ body: text })
    expect(JSON.stringify(answer({ body: text }))).not.toMatch(/canary|MHcC|QQQQ/i)
  })

  it('keeps ids, names, public keys and what is null or a number', () => {
    const body = {
      server: { id: 47_110_815, name: 'demo-control-plane-1', root_password: null },
      ssh_key: { public_key: publicKey, fingerprint: '00:11' },
      certificate: Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB').toString('base64'),
      security_and_analysis: { secret_scanning: { status: 'enabled' } },
    }
    expect(answer(body)).toEqual(body)
  })

  it('keeps the headers that say something of limits, and none that says who asks', () => {
    const headers = new Headers({
      'RateLimit-Remaining': '3599',
      'X-RateLimit-Reset': '1',
      Authorization: 'Bearer canary',
      'Set-Cookie': 'canary',
    })
    expect(clean({ headers }).headers).toEqual({
      'ratelimit-remaining': '3599',
      'x-ratelimit-reset': '1',
    })
  })
})

describe('A recording', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-recording-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const failures: string[] = []
  const open = (path: string) =>
    openExchangeRecorder(path, {
      redactor: new Redactor(),
      calendar: createClock(),
      onFailure: (message) => failures.push(message),
    })

  it('is a line for each exchange in their order, after those of earlier runs, for its owner alone', async () => {
    const path = join(folder, 'new', 'recording.jsonl')
    for (const run of ['first', 'second']) {
      const record = open(path)
      record(exchangeOf({ path: `/${run}/1` }))
      record(exchangeOf({ path: `/${run}/2` }))
    }
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const paths = lines.map((line) => JSON.parse(line).path)
    expect(paths).toEqual(['/first/1', '/first/2', '/second/1', '/second/2'])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('is not written into a file that holds something else', async () => {
    const path = join(folder, 'cluster.yaml')
    await writeFile(path, 'clusterName: demo\n')
    expect(() => open(path)).toThrow('holds no recording')
    expect(await readFile(path, 'utf8')).toBe('clusterName: demo\n')
  })

  it('ends where it cannot be written any more, says so once, and lets the run go on', async () => {
    const path = join(folder, 'going', 'recording.jsonl')
    const record = open(path)
    await rm(join(folder, 'going'), { recursive: true })
    record(exchangeOf({}))
    record(exchangeOf({}))
    expect(failures).toHaveLength(1)
    expect(failures[0]).toContain('ends here')
  })
})
