import { execFileSync } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { errorCodes } from '../../src/lib/error-codes.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { clusterText } from './cluster-text.ts'
import { type CommandBench, type Ended, startCommandBench } from './command-bench.ts'

const branch = 'refs/heads/hcloud-talos'
const putInPlace =
  'test ! -e age-identity.epoch-1.txt && mv age-identity.txt age-identity.epoch-1.txt && mv age-identity.new.txt age-identity.txt'

let bench: CommandBench
let offline: string
/** All that was ever said: no secret is in it. */
let output = ''
const secrets: string[] = []

beforeAll(async () => {
  bench = await startCommandBench()
  offline = await identityToRecipient(await generateX25519Identity())
  secrets.push(bench.identity)
  await writeFile({
    recipients: [bench.recipient, offline],
    signer: [deriveSigningKey({ secret: bench.identity }).signer],
  })
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 })
}, hangLimitMs)
afterAll(() => bench[Symbol.asyncDispose]())

async function writeFile(state: object): Promise<void> {
  const text = clusterText().replace(/^state:[\s\S]*/m, `state: ${JSON.stringify(state)}\n`)
  await bench.write('cluster.yaml', text)
}

async function run(...args: string[]): Promise<Ended> {
  const ended = await bench.run(args)
  output += ended.stdout + ended.stderr
  return ended
}

const file = (name: string) => readFile(join(bench.folder, name), 'utf8')

const identityIn = (text: string) => text.split('\n')[1] ?? ''

it('a rotation is prepared, and nothing but a file of mine is written by that', async () => {
  const { refs } = await bench.outside()
  const prepared = await run('rotate', '--prepare')
  expect(prepared.code, prepared.stderr).toBe(0)
  const { state } = parse(prepared.stdout)
  const identity = await file('age-identity.new.txt')
  secrets.push(identity.split('\n')[1] ?? '')
  expect((await stat(join(bench.folder, 'age-identity.new.txt'))).mode & 0o777).toBe(0o600)
  expect(await file('.gitignore')).toContain('/age-identity.new.txt\n/age-identity.epoch-*.txt\n')
  const doctor = await run('doctor')
  expect(doctor.stdout).toMatch(
    /weak +identity: age-identity.new.txt holds a new identity that the cluster file does not name.*\n +→ .*rotate --prepare/,
  )
  expect(state.recipients).toContain(offline)
  expect(state.recipients).not.toContain(bench.recipient)
  expect(state.signer).toHaveLength(2)
  // Begun once: the second time it is the same identity.
  const again = await run('rotate', '--prepare', '--json')
  expect(JSON.parse(again.stdout).state).toEqual(state)
  expect(await file('age-identity.new.txt')).toBe(identity)
  expect((await bench.outside()).refs).toEqual(refs)

  // Not merged, it is not carried out.
  const early = await run('rotate', '--yes')
  expect(early.code).toBe(errorCodes['rotation-unprepared'])
  await writeFile(state)
  expect((await run('doctor')).stdout).toMatch(
    /age-identity.new.txt holds the identity that comes next.*\n +→ hcloud-talos rotate\n/,
  )
})

it('is carried out once the cluster file says so, and done then', async () => {
  const rotated = await run('rotate', '--yes')
  expect(rotated.code, rotated.stderr).toBe(0)
  expect(rotated.stdout).toContain('The state is of key epoch 2 now')
  expect(rotated.stderr).toContain('1 former identity was tried and opened none')
  expect(rotated.stderr).toContain(putInPlace)
  expect((await run('rotate', '--yes')).stdout).toContain('Nothing to rotate')
  expect(JSON.parse((await run('rotate', '--yes', '--json')).stdout)).toMatchObject({
    rotated: false,
    keyEpoch: 2,
  })
})

it('what was left over from the rotation is recognized, and nothing is revoked for its holder', async () => {
  const { refs } = await bench.outside()
  const prepared = await run('rotate', '--prepare')
  expect(prepared.code).toBe(errorCodes['rotation-unprepared'])
  expect(prepared.stderr).toContain('left over from a rotation that is done')
  expect(prepared.stderr).toContain(putInPlace)
  expect((await run('doctor')).stdout).toContain(`→ ${putInPlace}\n`)
  const revoked = await run('revoke', '--yes')
  expect(revoked.code).toBe(errorCodes['rotation-unprepared'])
  expect(revoked.stderr).toContain('left over')
  expect((await bench.outside()).refs).toEqual(refs)
  // The command does what it says, and nothing is overwritten by it.
  await bench.write('age-identity.txt', `${bench.identity}\n`)
  const newer = await file('age-identity.new.txt')
  execFileSync('sh', ['-c', putInPlace], { cwd: bench.folder })
  expect(await file('age-identity.epoch-1.txt')).toBe(`${bench.identity}\n`)
  expect(await file('age-identity.txt')).toBe(newer)
  await bench.write('age-identity.new.txt', newer)
  expect(() => execFileSync('sh', ['-c', putInPlace], { cwd: bench.folder })).toThrow()
  await rm(join(bench.folder, 'age-identity.new.txt'))
  expect(await file('age-identity.epoch-1.txt')).toBe(`${bench.identity}\n`)
})

it(
  'a revocation says what it does not take back',
  async () => {
    const second = { HCLOUD_TALOS_AGE_IDENTITY: identityIn(await file('age-identity.txt')) }
    const prepared = await bench.run(['rotate', '--prepare'], { env: second })
    expect(prepared.code, prepared.stderr).toBe(0)
    secrets.push(identityIn(await file('age-identity.new.txt')))
    await writeFile(parse(prepared.stdout).state)
    const revoked = await bench.run(['revoke', '--yes'], { env: second })
    output += revoked.stdout + revoked.stderr
    expect(revoked.code, revoked.stderr).toBe(0)
    expect(revoked.stdout).toContain('1 former identity was tried and opened none')
    expect(revoked.stdout).toContain('nodes have another CA of the Talos API')
    expect(revoked.stdout).toContain('the CA of Kubernetes')
  },
  hangLimitMs,
)

it('a branch is compacted, verified, and says where it begins', async () => {
  const compacted = await withNewKey('compact', '--yes')
  expect(compacted.code, compacted.stderr).toBe(0)
  expect(compacted.stdout).toContain('commits became one')
  expect((await withNewKey('compact', '--yes')).stdout).toContain('Nothing to compact')
  const verified = await withNewKey('verify')
  expect(verified).toMatchObject({ code: 0 })
  expect(verified.stdout).toMatch(/is not in the history any more: \S+ compacted \d+ commits/)
})

it('the state goes into a file and comes back from it', async () => {
  expect(await run('export', '--out', 'safe.tar.age')).toMatchObject({ code: 0 })
  expect((await stat(join(bench.folder, 'safe.tar.age'))).mode & 0o777).toBe(0o600)
  const twice = await withNewKey('import', '--yes', '--from', 'safe.tar.age')
  expect(twice.code).toBe(errorCodes['import-refused'])
  const { folder } = bench.sandbox.endpoints.git
  execFileSync('git', ['-C', folder, 'update-ref', '-d', branch])
  const back = await withNewKey('import', '--yes', '--from', 'safe.tar.age')
  expect(back.code, back.stderr).toBe(0)
  expect(back.stdout).toContain('The state is back')
  expect((await withNewKey('verify')).stdout).toMatch(/restored it from a bundle of generation \d+/)
  const broken = await run('import', '--yes', '--from', 'cluster.yaml')
  expect(broken.code).toBe(errorCodes['bundle-invalid'])
})

it('the lock is nobody’s, and the doctor is content', async () => {
  expect((await run('unlock', '--yes')).stdout).toBe('Nobody holds the lock of demo.\n')
  // The firewall admits nobody but runs: from here no node can be asked.
  const doctor = await withNewKey('doctor', '--json', '--allow-unknown')
  expect(doctor.code, doctor.stdout).toBe(0)
  const verdicts: string[] = JSON.parse(doctor.stdout).diagnoses.map(
    ({ area, verdict }: { area: string; verdict: string }) => `${verdict} ${area}`,
  )
  expect(verdicts.filter((each) => /^(unknown|bad)/.test(each)).toSorted()).toEqual(
    ['etcd', 'kubernetes', 'nodes'].map((area) => `unknown ${area}`),
  )
  const [one] = JSON.parse(doctor.stdout).diagnoses
  expect(Object.keys(one).sort()).toEqual(['area', 'fix', 'says', 'verdict'])
  expect(verdicts).toContain('good github')
  expect(verdicts).toContain('good identity')
})

it('a doctor who finds something bad fails, and says what fixes it', async () => {
  const github = bench.sandbox.endpoints.github
  const ended = await bench.run(['doctor'], {
    env: {
      HCLOUD_TALOS_AGE_IDENTITY: (await file('age-identity.new.txt')).split('\n')[1],
      GITHUB_TOKEN: 'wrong',
      GITHUB_REPOSITORY: github.repository,
    },
  })
  expect(ended.code).toBe(errorCodes['doctor-findings'])
  expect(ended.stdout).toMatch(/BAD +github: .*\n {10}→ Check GITHUB_TOKEN/)
})

it('nothing of it was a secret', () => {
  for (const secret of secrets) {
    expect(secret).toMatch(/^AGE-SECRET-KEY-/)
    expect(output.includes(secret)).toBe(false)
  }
})

/** With the new identity alone, as it is from now on. */
async function withNewKey(...args: string[]): Promise<Ended> {
  const identity = (await file('age-identity.new.txt')).split('\n')[1]
  const ended = await bench.run(args, { env: { HCLOUD_TALOS_AGE_IDENTITY: identity } })
  output += ended.stdout + ended.stderr
  return ended
}
