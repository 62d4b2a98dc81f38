import type { Command } from 'commander'
import type { GithubPlace } from '../run/github-place.ts'
import type { RunContext } from '../run/run-context.ts'
import type { Handlers } from './handler-options.ts'
import type { Terminal } from './terminal.ts'

/** What every subcommand that goes outside is given. */
export interface CommandParts {
  readonly terminal: Terminal
  /** Reads the environment and makes a temporary folder; both only when it is called. */
  readonly openContext: () => Promise<RunContext & AsyncDisposable>
  /** Where GitHub can be asked; undefined without a token, or where the repository is not there. */
  readonly openGithub: () => Promise<GithubPlace | undefined>
}

export interface HandlerParts extends CommandParts {
  readonly signal: AbortSignal
  /** The PATH on which git is found. */
  readonly path: string
  readonly program: () => Command
}

/**
 * What each subcommand does: options to a command to output. Each loads what it needs when it runs, so
 * that help, completion and a mistake on the command line are answered at once.
 */
export function createHandlers(parts: HandlerParts): Handlers {
  const { terminal, signal, path, program } = parts
  return {
    async init(options) {
      const { initFiles } = await import('./init-files.ts')
      for (const line of await initFiles(options)) terminal.tell(line)
      return 0
    },
    plan: async (options) => (await import('./plan-command.ts')).planCommand(parts, options),
    apply: async (options) => (await import('./apply-command.ts')).applyCommand(parts, options),
    buildImage: async (options) =>
      (await import('./build-image-command.ts')).buildImageCommand(parts, options),
    upgrade: async (options) =>
      (await import('./upgrade-command.ts')).upgradeCommand(parts, options),
    destroy: async (options) =>
      (await import('./destroy-command.ts')).destroyCommand(parts, options),
    kubeconfig: async (options) =>
      (await import('./access-command.ts')).kubeconfigCommand(parts, options),
    talosconfig: async (options) =>
      (await import('./access-command.ts')).talosconfigCommand(parts, options),
    config: async (options) => (await import('./config-command.ts')).configCommand(parts, options),
    talos: async (request) =>
      (await import('./talos/talos-command.ts')).talosCommand(parts, request),
    snapshot: async (options) =>
      (await import('./snapshot-command.ts')).snapshotCommand(parts, options),
    listSnapshots: async (options) =>
      (await import('./list-snapshots-command.ts')).listSnapshotsCommand(parts, options),
    restore: async (options) =>
      (await import('./restore-command.ts')).restoreCommand(parts, options),
    recover: async (options) =>
      (await import('./recover-command.ts')).recoverCommand(parts, options),
    verify: async (options) => (await import('./verify-command.ts')).verifyCommand(parts, options),
    signer: async () => (await import('./signer-command.ts')).signerCommand(parts),
    doctor: async (options) => (await import('./doctor-command.ts')).doctorCommand(parts, options),
    unlock: async (options) => (await import('./unlock-command.ts')).unlockCommand(parts, options),
    rotate: async (options) => (await import('./rotate-command.ts')).rotateCommand(parts, options),
    revoke: async (options) => (await import('./revoke-command.ts')).revokeCommand(parts, options),
    export: async (options) => (await import('./export-command.ts')).exportCommand(parts, options),
    import: async (options) => (await import('./import-command.ts')).importCommand(parts, options),
    repair: async (options) => (await import('./repair-command.ts')).repairCommand(parts, options),
    compact: async (options) =>
      (await import('./compact-command.ts')).compactCommand(parts, options),
    setSecret: async (options) =>
      (await import('./secret-commands.ts')).setSecretCommand(parts, options),
    listSecrets: async (options) =>
      (await import('./secret-commands.ts')).listSecretsCommand(parts, options),
    removeSecret: async (options) =>
      (await import('./secret-commands.ts')).removeSecretCommand(parts, options),
    async sandbox({ folder, latencies, compare: recording, json }) {
      if (recording !== undefined) {
        const { compareRecording } = await import('./compare-recording.ts')
        await compareRecording(terminal, { recording, json, path, signal })
        return 0
      }
      const announce = (line: string) => terminal.print(`${line}\n`)
      const { runSandbox } = await import('./run-sandbox.ts')
      await runSandbox({ folder, latencies, path, signal, announce })
      return 0
    },
    async completion(shell) {
      const { completionScript } = await import('./completion.ts')
      terminal.print(completionScript(program(), shell))
      return 0
    },
  }
}
