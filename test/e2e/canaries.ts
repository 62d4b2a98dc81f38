import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'
import type { RunnerBench } from './runner-bench.ts'

/** Leaves of a machine config whose value is a secret, by the last parts of their path. */
const secretLeaf = /(^|\.)(token|secret|secretboxEncryptionSecret|aescbcEncryptionSecret|key)$/

/**
 * What must never be read by anybody: the tokens, the identity, and every secret that the simulated
 * nodes got, taken from the nodes and not from what the product thinks of as secret.
 */
export function plantedSecrets({
  sandbox,
  identity,
}: Pick<RunnerBench, 'sandbox' | 'identity'>): string[] {
  const configs = [...sandbox.world.machines.values()].flatMap(({ disk }) => {
    const text = disk.state.get('talos.config')
    return typeof text === 'string' ? [text] : []
  })
  const leaves = configs.flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => findSecrets(document.toJS(), '')),
  )
  const { hcloud, github, storage } = sandbox.endpoints
  const tokens = [hcloud.token, hcloud.readOnlyToken, github.token, storage.secretAccessKey]
  const all = [identity, ...tokens, ...leaves]
  return [...new Set(all)].filter((secret) => secret.length >= 8)
}

function findSecrets(value: unknown, path: string): string[] {
  if (typeof value === 'string') return secretLeaf.test(path) ? secretForms(value) : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => findSecrets(child, `${path}.${key}`))
}

/** A PEM key in base64 is one as well when it is decoded; the armour itself is no secret. */
function secretForms(value: string): string[] {
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  if (!decoded.startsWith('-----BEGIN')) return [value]
  return [value, ...decoded.split('\n').filter((line) => line.length >= 32 && !/-----/.test(line))]
}

/** Every commit of every branch and lock, with its message and what it changed. */
async function commits({ sandbox }: RunnerBench): Promise<string> {
  const args = ['log', '--all', '--patch', '--text', '--format=fuller']
  const options = { cwd: sandbox.endpoints.git.folder, maxBuffer: 64 << 20 }
  const { stdout } = await promisify(execFile)('git', args, options)
  return stdout
}

/**
 * Where planted secrets, or what the steps themselves asked to be masked, can be read: logs, summaries,
 * outputs, comments, commits, arguments of programs, temporary folders, and the files in which a runner carries
 * state from `main` to `post`.
 */
export async function findLeaks(bench: RunnerBench): Promise<string[]> {
  const planted = plantedSecrets(bench)
  const masks = bench.seen.flatMap((result) => result.masks)
  const secrets = [...new Set([...planted, ...masks])]
  const texts = new Map(
    bench.seen.flatMap(({ log, summary, outputs }, index) => [
      [`log ${index}`, log],
      [`summary ${index}`, summary],
      [`outputs ${index}`, JSON.stringify(outputs)],
    ]),
  )
  texts.set('arguments', await bench.argv())
  for (const { id, body } of bench.sandbox.github.comments) {
    texts.set(`comment ${id}`, body)
    const packed = /<!-- hcloud-talos:record:1:([A-Za-z0-9+/=]+) -->/.exec(body)?.[1]
    if (packed === undefined) continue
    const record = inflateRawSync(Buffer.from(packed, 'base64'))
    texts.set(`record in comment ${id}`, record.toString('utf8'))
  }
  for (const run of await readdir(bench.folder)) {
    if (!run.startsWith('run-')) continue
    // Command files, and the job's temporary folder, which is empty once the job has finished.
    for (const folder of ['commands', 'temp']) {
      const place = join(bench.folder, run, folder)
      const entries = await readdir(place, { recursive: true, withFileTypes: true })
      for (const entry of entries.filter((one) => one.isFile())) {
        const path = join(entry.parentPath, entry.name)
        texts.set(relative(bench.folder, path), await readFile(path, 'latin1'))
      }
    }
  }
  const leaks = [...texts].flatMap(([place, text]) =>
    secrets.some((secret) => text.includes(secret)) ? [place] : [],
  )
  // Masked is all of what is encrypted whole, certificates too; configs on the branch have those in plain.
  const history = await commits(bench)
  return planted.some((secret) => history.includes(secret)) ? [...leaks, 'commits'] : leaks
}
