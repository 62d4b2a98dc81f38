import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a tree to make: text, or nothing where it is to go. */
export interface TreeFile {
  readonly path: string
  readonly content: string | undefined
}

/** A ref to move from what it must be; 40 zeros stand for absent. */
export interface RefMove {
  readonly name: string
  readonly before: string
  readonly after: string
}

const absent = '0'.repeat(40)

/** What GitHub's API does in a bare repository, by git's own plumbing. */
export class GitObjects {
  readonly #folder: string
  readonly #path: string

  /** `path` is the PATH on which git is found. */
  constructor(folder: string, path: string) {
    this.#folder = folder
    this.#path = path
  }

  /** The id of the tree; undefined for a base that is none, or a file to remove that is not there. */
  async makeTree(
    base: string | undefined,
    files: readonly TreeFile[],
  ): Promise<string | undefined> {
    const index = join(this.#folder, `index-${randomUUID()}`)
    const git = (args: readonly string[], input = '') =>
      this.#git(args, input, { GIT_INDEX_FILE: index })
    try {
      if (base !== undefined && !(await git(['read-tree', base])).ok) return undefined
      const present = new Set((await git(['ls-files'])).stdout.split('\n'))
      const lines: string[] = []
      for (const { path, content } of files) {
        if (content === undefined) {
          if (!present.has(path)) return undefined
          lines.push(`0 ${absent}\t${path}`)
        } else {
          const blob = await git(['hash-object', '-w', '--stdin'], content)
          lines.push(`100644 ${blob.stdout}\t${path}`)
        }
      }
      await git(['update-index', '--index-info'], `${lines.join('\n')}\n`)
      return (await git(['write-tree'])).stdout
    } finally {
      await rm(index, { force: true })
    }
  }

  /** The id of a commit that no ref holds; undefined for a tree or a parent that is not there. */
  async makeCommit(
    message: string,
    tree: string,
    parents: readonly string[],
  ): Promise<string | undefined> {
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]
    const made = await this.#git(args, message, {
      GIT_AUTHOR_NAME: 'github-actions[bot]',
      GIT_AUTHOR_EMAIL: '41898282+github-actions[bot]@users.noreply.github.com',
      GIT_COMMITTER_NAME: 'GitHub',
      GIT_COMMITTER_EMAIL: 'noreply@github.com',
    })
    return made.ok ? made.stdout : undefined
  }

  /** Moves all refs or none; whether it did. */
  async moveRefs(moves: readonly RefMove[]): Promise<boolean> {
    for (const { before, after } of moves) {
      const hasNoPast = before === absent || after === absent
      if (hasNoPast) continue
      const ancestry = ['merge-base', '--is-ancestor', before, after]
      if (!(await this.#git(ancestry)).ok) return false
    }
    const lines = moves.map(({ name, before, after }) =>
      after === absent ? `delete ${name} ${before}` : `update ${name} ${after} ${before}`,
    )
    const input = ['start', ...lines, 'prepare', 'commit', ''].join('\n')
    return (await this.#git(['update-ref', '--stdin'], input)).ok
  }

  async isThere(object: string): Promise<boolean> {
    return (await this.#git(['cat-file', '-e', object])).ok
  }

  /** Commits of a branch or from a commit on, the newest first, or those that change a path; undefined where it is not there. */
  async commitsOf(start: string, path: string | undefined): Promise<string[] | undefined> {
    const tip = /^[0-9a-f]{40}$/.test(start) ? start : `refs/heads/${start}`
    const log = ['log', '--format=%H', '--max-count=1000', tip, '--', ...(path ? [path] : [])]
    const { ok, stdout } = await this.#git(log)
    return ok ? stdout.split('\n').filter(Boolean) : undefined
  }

  /** The refs whose names begin like this, and where they stand. */
  async refsLike(prefix: string): Promise<{ readonly ref: string; readonly sha: string }[]> {
    const list = ['for-each-ref', '--format=%(refname) %(objectname)']
    const { stdout } = await this.#git(list)
    return stdout.split('\n').flatMap((line) => {
      const [ref = '', sha = ''] = line.split(' ')
      return ref.startsWith(prefix) ? [{ ref, sha }] : []
    })
  }

  /** What a commit has and a branch has not, the oldest first; undefined where either is not there. */
  async commitsBetween(branch: string, commit: string): Promise<string[] | undefined> {
    const list = ['rev-list', '--reverse', `refs/heads/${branch}..${commit}`]
    const { ok, stdout } = await this.#git(list)
    return ok ? stdout.split('\n').filter(Boolean) : undefined
  }

  #git(
    args: readonly string[],
    input = '',
    environment: Readonly<Record<string, string>> = {},
  ): Promise<{ ok: boolean; stdout: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn('git', [`--git-dir=${this.#folder}`, ...args], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: {
          PATH: this.#path,
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          ...environment,
        },
      })
      const chunks: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      child.on('error', reject)
      child.on('close', (code) =>
        resolve({ ok: code === 0, stdout: Buffer.concat(chunks).toString('utf8').trim() }),
      )
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
    })
  }
}
