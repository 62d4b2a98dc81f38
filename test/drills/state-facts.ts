import { readFile } from 'node:fs/promises'
import { armor, Decrypter } from 'age-encryption'
import { decryptSops } from 'sops-age'
import type { CommandBench } from '../cli/command-bench.ts'
import { branchGit } from './branch-hands.ts'

/** What anybody with a clone of the state branch sees of its newest commit. */
export interface StateFacts {
  readonly commit: string
  readonly commits: number
  readonly paths: readonly string[]
  /** The files that hold secrets. */
  readonly sealed: readonly string[]
  /** Those whose data key this identity opens; tried by age itself. */
  openedBy(identity: string): Promise<string[]>
  /** The secrets of the cluster, as sops opens them for this identity. */
  secrets(identity: string): Promise<unknown>
}

export function readStateFacts(bench: CommandBench): StateFacts {
  const git = branchGit(bench)
  const commit = git('rev-parse', 'hcloud-talos')
  const paths = git('ls-tree', '-r', '--name-only', commit).split('\n')
  const sealed = paths.filter((path) => path.endsWith('.sops.yaml'))
  const show = (path: string) => git('show', `${commit}:${path}`)
  return {
    commit,
    commits: Number(git('rev-list', '--count', commit)),
    paths,
    sealed,
    async openedBy(identity) {
      const opened = await Promise.all(
        sealed.map(async (path) => ((await opensDataKey(show(path), identity)) ? [path] : [])),
      )
      return opened.flat()
    },
    secrets: (identity) =>
      decryptSops(show('demo/secrets.sops.yaml'), { secretKey: identity, fileType: 'yaml' }),
  }
}

/** Of a SOPS document, which holds its data key once for each recipient. */
async function opensDataKey(document: string, identity: string): Promise<boolean> {
  const armored = /-----BEGIN AGE ENCRYPTED FILE-----[\s\S]+?-----END AGE ENCRYPTED FILE-----/g
  for (const [text] of document.matchAll(armored)) {
    const decrypter = new Decrypter()
    decrypter.addIdentity(identity)
    const lines = text.split('\n').map((line) => line.trim())
    const key = await decrypter
      .decrypt(armor.decode(`${lines.join('\n')}\n`))
      .catch(() => undefined)
    if (key) return true
  }
  return false
}

/** The identity in a file as age writes it. */
export async function identityIn(path: string): Promise<string> {
  const [identity] = /AGE-SECRET-KEY-\S+/.exec(await readFile(path, 'utf8')) ?? []
  if (identity === undefined) throw new Error(`there is no identity in ${path}`)
  return identity
}
