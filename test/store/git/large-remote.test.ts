import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Redactor } from '../../../src/lib/redactor.ts'
import { createPrivateRepository } from '../../../src/store/git/private-repository.ts'
import { afterTest, git, makeFolder, makeRemote } from '../state-fixture.ts'

const ref = 'refs/heads/large'

/** A remote on which somebody who may push put a file of a megabyte. */
async function largeRemote(content: Buffer): Promise<string> {
  const remote = await makeRemote()
  const clone = await makeFolder()
  await git(clone, 'init', '--quiet', '--initial-branch=large')
  await writeFile(join(clone, 'file'), content)
  await git(clone, 'add', '--all')
  const who = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@localhost']
  await git(clone, ...who, 'commit', '--quiet', '--message', 'Large')
  await git(clone, 'push', '--quiet', remote, `HEAD:${ref}`)
  return remote
}

async function open(url: string, limits: { output: number; objects: number }) {
  const repository = await createPrivateRepository({
    remote: { url },
    environment: process.env,
    redactor: new Redactor(),
    temporaryFolder: await makeFolder(),
    limits,
  })
  afterTest(() => repository.close())
  return repository
}

const tooLarge = { code: 'state-unreachable', message: expect.stringContaining('larger than') }

it('a remote that sends more than any state has is given up', async () => {
  const remote = await largeRemote(randomBytes(1 << 20))
  const repository = await open(remote, { output: 1 << 20, objects: 100_000 })
  await expect(repository.fetch(ref)).rejects.toMatchObject(tooLarge)
})

it('a file that unpacks to more than any file of ours is not read', async () => {
  const remote = await largeRemote(Buffer.alloc(4 << 20))
  const repository = await open(remote, { output: 1 << 20, objects: 1 << 20 })
  const commit = (await repository.fetch(ref)) ?? ''
  const [file] = await repository.listTree(commit)
  await expect(repository.readObjects([file?.object ?? ''])).rejects.toMatchObject(tooLarge)
})
