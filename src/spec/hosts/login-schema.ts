import { z } from 'zod'
import { filled, formatted } from '../schema/field-format.ts'

const port = z.int().min(1).max(65535)

/** Where a secret comes from that is never written into a file: one of the two. */
const secretSource = z.strictObject({
  secret: formatted(
    /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be the name of a secret: lower-case letters, digits and hyphens',
  )
    .optional()
    .describe('Name of a secret that the state keeps.'),
  environment: variable()
    .optional()
    .describe('Name of a variable of the environment that gives it.'),
})

function variable() {
  return formatted(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'must be the name of a variable of the environment',
    (written) => (written.startsWith('$') ? `Write ${written.replace(/^\$/, '')}.` : undefined),
  )
}

const keySchema = z.strictObject({
  agent: z
    .literal(true)
    .optional()
    .describe('Whether an SSH agent proves who you are, at the socket that SSH_AUTH_SOCK names.'),
  publicKey: filled()
    .optional()
    .describe('Which key of the agent, as one line of authorized_keys: for agents with several.'),
  file: filled().optional().describe('Path of a private key; ~ is the home of whoever runs this.'),
  environment: variable()
    .optional()
    .describe('Name of a variable of the environment that holds a private key.'),
  passphrase: secretSource.optional().describe('The passphrase of the private key.'),
})

/** Types of host keys that are accepted. */
const keyTypes = 'ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa'

const pin = new RegExp(`^(?:${keyTypes}) (?:SHA256:[A-Za-z0-9+/]{43}|[A-Za-z0-9+/]{40,}={0,2})$`)

/** What stands in a new file in the place of a host key. Never accepted: only the host can say what it is. */
export const hostKeyToFillIn = 'TO_BE_FILLED_IN'

function hostKeyHint(written: string): string | undefined {
  if (written === hostKeyToFillIn) {
    return 'Write what `ssh-keyscan -t ed25519` prints after the address of this host, once you have compared it with the host itself.'
  }
  if (/^SHA256:/.test(written)) {
    return `Write its type before it, such as ssh-ed25519 ${written}: a fingerprint alone does not name the key to ask for.`
  }
  if (/^MD5:|^([0-9a-f]{2}:){15}/.test(written)) {
    return 'Write the SHA256 fingerprint, as ssh-keygen -l prints it.'
  }
  const [line] = new RegExp(`(?:${keyTypes}) \\S+`).exec(written) ?? []
  return line === undefined || line === written ? undefined : `Write ${line}.`
}

const hostKeySchema = () =>
  z.union([
    z.literal('record'),
    formatted(
      pin,
      'must be the type and the key of a host, such as ssh-ed25519 AAAA… or ssh-ed25519 SHA256:…, or record',
      hostKeyHint,
    ),
  ])

const jumpSchema = z.strictObject({
  address: filled().describe('Host name or address of the jump host.'),
  port: port.default(22).describe('Its SSH port.'),
  user: filled().optional().describe('Who logs in there. That of the host behind it by default.'),
  key: keySchema
    .optional()
    .describe('What proves who you are. As on the host behind it by default.'),
  hostKey: hostKeySchema()
    .optional()
    .describe('What it proves itself by, as for hosts. ssh.hostKey by default.'),
})

/** What may be said for all hosts and for one. */
const loginFields = {
  user: filled().optional().describe('Who logs in. root by default.'),
  port: port.optional().describe('The SSH port. 22 by default.'),
  key: keySchema
    .optional()
    .describe('What proves who you are: an agent (the default), a file or a variable.'),
  jump: z
    .union([jumpSchema, z.literal('none')])
    .optional()
    .describe('The host that it is reached through; none where ssh.jump is not for this host.'),
  sudo: z
    .union([
      z.strictObject({
        password: secretSource.describe('The password that sudo asks for.'),
      }),
      z.enum(['none', 'passwordless']),
    ])
    .optional()
    .describe(
      'How the user becomes root: none for root itself (its default), passwordless (the default of all others), or with a password.',
    ),
}

/** For all hosts. */
export const sshSchema = z.strictObject({
  ...loginFields,
  hostKey: z
    .literal('record')
    .optional()
    .describe(
      'record accepts the first key that a host shows, and records it in the state, for every host without a pinned one. Left out, each host has its own hostKey.',
    ),
})

/** For one host: what it says goes before what is said for all. */
export const hostSshSchema = z.strictObject(loginFields)

export const hostKeyField = hostKeySchema()
  .optional()
  .describe(
    'What the host proves itself by: type and key as ssh-keyscan prints them, or type and fingerprint (ssh-ed25519 SHA256:…). record accepts the first key that it shows, and records it in the state.',
  )

export type KeyInFile = z.output<typeof keySchema>
export type JumpInFile = z.output<typeof jumpSchema>
export type SecretSourceInFile = z.output<typeof secretSource>
