/** Keys of machine configs below which a secret stands. */
const secretKeys = [
  'key',
  'token',
  'secret',
  'bootstrapToken',
  'secretboxEncryptionSecret',
  'aescbcEncryptionSecret',
  'clusterSecret',
  'privateKey',
]

/** Shorter ones would be found by chance. */
const shortestSecret = 16

/** Looks for the secrets that a world has seen in everything that left a run. */
export class OutputJudge {
  readonly #secrets = new Set<string>()
  readonly #outputs: { readonly where: string; readonly text: string }[] = []

  /** A token, an identity, a password: what must be in no output. */
  secret(text: string): void {
    if (text.length >= shortestSecret) this.#secrets.add(text)
  }

  /** A machine config that a node was given: its keys and tokens are secrets. */
  config(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      // The key of a taint is a name.
      if (key === 'key' && 'effect' in value) continue
      if (typeof item !== 'string') this.config(item)
      else if (secretKeys.includes(key)) this.secret(item)
    }
  }

  get knowsSecrets(): boolean {
    return this.#secrets.size > 0
  }

  /** Something that others can read: a line of a log, a comment, what is in the repository. */
  output(where: string, text: string): void {
    if (text !== '') this.#outputs.push({ where, text })
  }

  leaks(): string[] {
    return this.#outputs.splice(0).flatMap(({ where, text }) => {
      const leaked = [...this.#secrets].filter((secret) => text.includes(secret))
      return leaked.map((secret) => `${where} holds ${secret.slice(0, 6)}…`)
    })
  }
}
