import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SimHosts } from './start-hosts.ts'

const execute = promisify(execFile)

/** Gives hosts the keys of the repositories that their packages come from, as these publish them. */
export async function publishSigningKeys({ started }: Pick<SimHosts, 'started'>): Promise<void> {
  const key = await makeSigningKey('2y')
  for (const { host } of started.values()) {
    for (const name of ['gpg', 'Release.key']) await host.folder.put(`state/web/${name}`, key)
  }
}

/** A public key of OpenPGP that ends after `lifetime`, as a repository publishes it; made at another time where given. */
export async function makeSigningKey(lifetime: string, madeAt?: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'signing-key-'))
  const time = madeAt === undefined ? [] : ['--faked-system-time', madeAt]
  const gpg = (...args: string[]) =>
    execute('gpg', ['--homedir', home, '--batch', ...time, ...args])
  await gpg('--passphrase', '', '--quick-generate-key', 'packages', 'ed25519', 'sign', lifetime)
  const { stdout } = await gpg('--armor', '--export')
  await execute('gpgconf', ['--homedir', home, '--kill', 'gpg-agent'])
  await rm(home, { recursive: true, force: true })
  return stdout
}
