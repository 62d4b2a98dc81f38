import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { removeSecret, setSecret } from '../../../commands/secrets/change-secret.ts'
import { listSecrets } from '../../../commands/secrets/list-secrets.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { CommonOptions, RemoveSecretOptions, SetSecretOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { renderTable } from '../../terminal/render-table.ts'

/** Reads a value from standard input, or from a file, and keeps it. */
export async function setSecretCommand(
  { terminal, openContext }: CommandParts,
  { config, json, name, fromFile }: SetSecretOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  if (fromFile === undefined && terminal.questions === 'person') {
    throw new ClusterError(
      'usage',
      'the value of a secret is not typed at a terminal, which shows it',
      {
        operation: 'set the secret',
        target: name,
        hint: `Pipe it in, or give --from-file: \`hcloud-talos secret set ${name} --from-file <file>\`.`,
      },
    )
  }
  const value = asText(
    name,
    fromFile === undefined ? await buffer(process.stdin) : await read(fromFile),
  )
  await using context = await openContext()
  const { changed, version } = await setSecret(context, { file, name, value })
  if (json) printJson(terminal, { name, changed, version })
  else if (changed)
    terminal.print(
      `The secret ${name} is set (version ${version}); apply brings it to the cluster.\n`,
    )
  else terminal.print(`The secret ${name} has this value already.\n`)
  return 0
}

/** Prints which secrets there are, and never what they are. */
export async function listSecretsCommand(
  { terminal, openContext }: CommandParts,
  { config, json }: CommonOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const secrets = await listSecrets(context, file)
  if (json) {
    const listed = secrets.map(({ name, kept, referredFrom }) => ({
      name,
      kept: kept ? { ...kept } : null,
      referredFrom: [...referredFrom],
    }))
    printJson(terminal, { secrets: listed })
  } else if (secrets.length === 0) terminal.tell('there are no secrets')
  else {
    const rows = secrets.map(({ name, kept, referredFrom }) => [
      name,
      kept ? String(kept.version) : '-',
      kept?.setAt ?? 'missing',
      kept ? `${kept.setBy}${kept.origin === 'environment' ? ' (environment)' : ''}` : '-',
      referredFrom.join(', ') || 'nothing',
    ])
    terminal.print(renderTable(['NAME', 'VERSION', 'SET AT', 'BY', 'REFERRED TO BY'], rows))
  }
  return 0
}

/** Takes a secret away; asks where the cluster file refers to it. */
export async function removeSecretCommand(
  { terminal, openContext }: CommandParts,
  { config, json, name, yes }: RemoveSecretOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const { version } = await removeSecret(context, {
    file,
    name,
    async confirm(places) {
      if (yes) return true
      const question = `${places.join(', ')} refers to it, and every apply is refused without it. Remove it? Only "yes" does: `
      return (await terminal.ask(question)) === 'yes'
    },
  })
  if (json) printJson(terminal, { name, removed: true, version })
  else
    terminal.print(
      `The secret ${name} is removed; git's history keeps it for whoever could read it.\n`,
    )
  return 0
}

async function read(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new ClusterError('usage', 'the file of the secret cannot be read', {
      target: path,
      hint: 'Check --from-file.',
      cause: error,
    })
  }
}

function asText(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ClusterError('secret-refused', 'the secret was not set: it is no text', {
      operation: 'set a secret',
      target: name,
      hint: 'Encode it with base64 first.',
    })
  }
}
