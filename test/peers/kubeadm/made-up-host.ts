import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { release, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach } from 'vitest'
import type { HostStep } from '../../../src/kubeadm/host/host-check.ts'
import { type HostEvidence, readEvidence } from '../../../src/kubeadm/host/host-evidence.ts'
import { renderApply, renderProbe } from '../../../src/kubeadm/host/render-step.ts'
import { startHosts } from '../../../src/sandbox/hosts/start-hosts.ts'

const execute = promisify(execFile)

const closing: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A host of files and stand-ins, as bare as one that was just installed, on which scripts have real effects. */
export async function makeHost() {
  const hosts = await startHosts({ hosts: 1, speed: 1 })
  closing.push(() => hosts[Symbol.asyncDispose]())
  const { host } = hosts.host('host-1')
  const { root, read, put } = host.folder
  const probe = async (step: HostStep) => {
    const result = await host.run(renderProbe(step), step.args)
    return new Map(
      readEvidence(step, result, { host: 'web-1', at: 0 }).map((one) => [one.check, one]),
    )
  }
  const apply = (step: HostStep) => host.run(renderApply(step), step.args)
  /** Every file that a script may have changed, but for the logs of the stand-ins. */
  const snapshot = async () => {
    const { stdout } = await execute('bash', [
      '-c',
      'cd "$1" && find etc opt usr proc sys state -type f ! -name apt-log -printf "%p %m %i\\n" -exec sha256sum {} + | sort',
      'bash',
      root,
    ])
    return stdout.split('\n')
  }
  return {
    root,
    put: (path: string, content: string | Uint8Array) => put(path, content),
    read,
    probe,
    apply,
    run: (script: string, args: readonly string[]) => host.run(script, args),
    snapshot,
    /** When a file was written, in whole seconds since the epoch. */
    writtenAt: async (path: string) => Math.floor((await stat(join(root, path))).mtimeMs / 1_000),
    /** Makes a file look as if it had been written then. */
    age: (path: string, seconds: number) => utimes(join(root, path), seconds, seconds),
    chmod: (path: string) => chmod(join(root, path), 0o755),
    remove: (path: string) => rm(join(root, path), { recursive: true }),
    kernel: release(),
  }
}

/** The checks that did not pass, each with its state and what was seen. */
export function notPassed(evidence: ReadonlyMap<string, HostEvidence>): Record<string, string> {
  return Object.fromEntries(
    [...evidence.values()]
      .filter(({ state }) => state !== 'passed')
      .map(({ check, state, seen }) => [check, `${state}: ${seen}`]),
  )
}

/** A tar.gz of programs. */
export async function makeArchive(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text, { mode: 0o755 })
  }
  const archive = `${folder}.tar.gz`
  await execute('tar', ['-czf', archive, '-C', folder, '.'])
  const content = await readFile(archive)
  await rm(folder, { recursive: true })
  await rm(archive)
  return content
}
