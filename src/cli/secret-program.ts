import type { Command } from 'commander'
import type { CommonOptions, Handlers } from './handler-options.ts'
import { recordOption } from './recording-switch.ts'

/** Adds what can be done with named secrets below `secret`. `finish` gets the exit code. */
export function addSecretCommands(
  secret: Command,
  handlers: Pick<Handlers, 'setSecret' | 'listSecrets' | 'removeSecret'>,
  finish: (exitCode: number) => void,
): void {
  const verb = (name: string, description: string) =>
    secret
      .command(name)
      .description(description)
      .option('-c, --config <file>', 'the cluster file', 'cluster.yaml')
      .option('--json', 'print the result as JSON on standard output')
      .addOption(recordOption())

  verb('set', 'keep the value of a secret, read from standard input or a file')
    .argument('<name>', `what the cluster file calls it: \${secret:<name>}`)
    .option('--from-file <file>', 'the file that holds it')
    .action(async (name: string, options: Common & { readonly fromFile?: string }) =>
      finish(await handlers.setSecret({ json: false, ...options, name })),
    )

  verb('list', 'list the secrets, without their values; changes nothing').action(
    async (options: Common) => finish(await handlers.listSecrets({ json: false, ...options })),
  )

  verb('rm', 'remove a secret')
    .argument('<name>', 'its name')
    .option('-y, --yes', 'do not ask, also where the cluster file refers to it')
    .action(async (name: string, options: Common & { readonly yes?: boolean }) =>
      finish(await handlers.removeSecret({ json: false, yes: false, ...options, name })),
    )
}

type Common = Partial<CommonOptions> & { readonly config: string }
