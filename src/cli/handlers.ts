import type { Command } from 'commander'
import type { GithubPlace } from '../run/github-place.ts'
import type { RunContext } from '../run/run-context.ts'
import type { Handlers } from './handler-options.ts'
import type { Terminal } from './terminal/terminal.ts'

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
      const { initFiles } = await import('./commands/cluster/init-files.ts')
      for (const line of await initFiles(options)) terminal.tell(line)
      return 0
    },
    plan: async (options) =>
      (await import('./commands/cluster/plan.ts')).planCommand(parts, options),
    apply: async (options) =>
      (await import('./commands/cluster/apply.ts')).applyCommand(parts, options),
    buildImage: async (options) =>
      (await import('./commands/cluster/build-image.ts')).buildImageCommand(parts, options),
    upgrade: async (options) =>
      (await import('./commands/cluster/upgrade.ts')).upgradeCommand(parts, options),
    destroy: async (options) =>
      (await import('./commands/cluster/destroy.ts')).destroyCommand(parts, options),
    kubeconfig: async (options) =>
      (await import('./commands/access/kubeconfig.ts')).kubeconfigCommand(parts, options),
    talosconfig: async (options) =>
      (await import('./commands/access/kubeconfig.ts')).talosconfigCommand(parts, options),
    config: async (options) =>
      (await import('./commands/access/config.ts')).configCommand(parts, options),
    talos: async (request) =>
      (await import('./commands/talos/talos-command.ts')).talosCommand(parts, request),
    snapshot: async (options) =>
      (await import('./commands/backup/snapshot.ts')).snapshotCommand(parts, options),
    listSnapshots: async (options) =>
      (await import('./commands/backup/list-snapshots.ts')).listSnapshotsCommand(parts, options),
    restore: async (options) =>
      (await import('./commands/backup/restore.ts')).restoreCommand(parts, options),
    recover: async (options) =>
      (await import('./commands/state/recover.ts')).recoverCommand(parts, options),
    verify: async (options) =>
      (await import('./commands/state/verify.ts')).verifyCommand(parts, options),
    signer: async () => (await import('./commands/keys/signer.ts')).signerCommand(parts),
    doctor: async (options) =>
      (await import('./commands/cluster/doctor.ts')).doctorCommand(parts, options),
    unlock: async (options) =>
      (await import('./commands/state/unlock.ts')).unlockCommand(parts, options),
    rotate: async (options) =>
      (await import('./commands/keys/rotate.ts')).rotateCommand(parts, options),
    revoke: async (options) =>
      (await import('./commands/keys/revoke.ts')).revokeCommand(parts, options),
    export: async (options) =>
      (await import('./commands/state/export.ts')).exportCommand(parts, options),
    import: async (options) =>
      (await import('./commands/state/import.ts')).importCommand(parts, options),
    repair: async (options) =>
      (await import('./commands/state/repair.ts')).repairCommand(parts, options),
    compact: async (options) =>
      (await import('./commands/state/compact.ts')).compactCommand(parts, options),
    setSecret: async (options) =>
      (await import('./commands/secrets/set-secret.ts')).setSecretCommand(parts, options),
    listSecrets: async (options) =>
      (await import('./commands/secrets/set-secret.ts')).listSecretsCommand(parts, options),
    removeSecret: async (options) =>
      (await import('./commands/secrets/set-secret.ts')).removeSecretCommand(parts, options),
    async sandbox({ folder, latencies, compare: recording, json }) {
      if (recording !== undefined) {
        const { compareRecording } = await import('./commands/sandbox/compare-recording.ts')
        await compareRecording(terminal, { recording, json, path, signal })
        return 0
      }
      const announce = (line: string) => terminal.print(`${line}\n`)
      const { runSandbox } = await import('./commands/sandbox/run-sandbox.ts')
      await runSandbox({ folder, latencies, path, signal, announce })
      return 0
    },
    async completion(shell) {
      const { completionScript } = await import('./commands/shell/completion-script.ts')
      terminal.print(completionScript(program(), shell))
      return 0
    },
  }
}
