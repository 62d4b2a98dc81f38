import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeAptRepository } from '../../../rig/bed/apt-repository.ts'
import { writeDeb } from '../../../rig/bed/deb-package.ts'
import { text } from '../../../rig/bed/tree-entry.ts'

const execute = promisify(execFile)

describe.skipIf(userInfo().uid !== 0)('a repository of apt that the rig makes', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rig-repository-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  test('has packages that dpkg reads, and is signed with the key beside it', async () => {
    const workshop = {
      root: folder,
      cache: folder,
      path: process.env['PATH'] ?? '',
      report: () => {},
      signal: new AbortController().signal,
    }
    const base = join(folder, 'web')
    await mkdir(base)
    const file = await writeDeb(workshop, base, {
      name: 'hello',
      version: '1.2.3-1.1',
      depends: ['mount'],
      tree: [text('usr/bin/hello', '#!/bin/sh\necho hello\n', 0o755), text('etc/hello', 'world\n')],
      configFiles: ['etc/hello'],
      afterInstallation: 'true',
    })
    await writeAptRepository(workshop, {
      base,
      release: '',
      list: 'Packages',
      files: [file],
      fields: ['Origin: rig'],
      key: 'Release.key',
    })
    const { stdout: content } = await execute('dpkg-deb', ['--contents', join(base, file)])
    expect(content).toMatch(/^-rwxr-xr-x root\/root +21 .* \.\/usr\/bin\/hello$/m)
    const packages = await readFile(join(base, 'Packages'), 'utf8')
    expect(packages).toContain('Package: hello\nVersion: 1.2.3-1.1\n')
    expect(packages).toContain(`Filename: ${file}\n`)
    const keyring = join(folder, 'key.gpg')
    await execute('gpg', ['--batch', '--dearmor', '--output', keyring, join(base, 'Release.key')])
    const { stdout: signed } = await execute('gpgv', [
      ...['--keyring', keyring, '--output', '-'],
      join(base, 'InRelease'),
    ])
    const { stdout: sums } = await execute('sha256sum', [join(base, 'Packages')])
    expect(signed).toContain(`\n ${sums.slice(0, 64)} ${packages.length} Packages\n`)
  })
})
