import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { argument, text } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Reads a value from standard input, or from a file, and keeps it. */
export const setSecret = defineCommand({
  name: 'secret set',
  description: 'keep the value of a secret, read from standard input or a file',
  examples: [{ purpose: 'keep one', line: 'set registry-password --from-file password.txt' }],
  takes: {
    ...clusterSettings(),
    name: argument('<name>', `what the cluster file calls it: \${secret:<name>}`),
    fromFile: text('--from-file <file>', 'the file that holds it'),
  },
  async run({ terminal, openContext }, { config, json, name, fromFile }) {
    const { setSecret: keepSecret } = await import('../../../commands/secrets/change-secret.ts')
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
    const { changed, version } = await keepSecret(context, { file, name, value })
    if (json) printJson(terminal, { name, changed, version })
    else if (changed)
      terminal.print(
        `The secret ${name} is set (version ${version}); apply brings it to the cluster.\n`,
      )
    else terminal.print(`The secret ${name} has this value already.\n`)
    return 0
  },
})

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
