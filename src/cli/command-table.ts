import type { CliCommand, CommandGroup } from './command.ts'
import { config } from './commands/access/config.ts'
import { kubeconfig } from './commands/access/kubeconfig.ts'
import { talosconfig } from './commands/access/talosconfig.ts'
import { diffAddons } from './commands/addons/diff.ts'
import { renderAddons } from './commands/addons/render.ts'
import { listSnapshots } from './commands/backup/list-snapshots.ts'
import { restore } from './commands/backup/restore.ts'
import { snapshot } from './commands/backup/snapshot.ts'
import { adopt } from './commands/cluster/adopt.ts'
import { apply } from './commands/cluster/apply.ts'
import { buildImage } from './commands/cluster/build-image.ts'
import { destroy } from './commands/cluster/destroy.ts'
import { doctor } from './commands/cluster/doctor.ts'
import { init } from './commands/cluster/init.ts'
import { plan } from './commands/cluster/plan.ts'
import { status } from './commands/cluster/status.ts'
import { upgrade } from './commands/cluster/upgrade.ts'
import { revoke } from './commands/keys/revoke.ts'
import { rotate } from './commands/keys/rotate.ts'
import { signer } from './commands/keys/signer.ts'
import { sandbox } from './commands/sandbox/sandbox.ts'
import { listSecrets } from './commands/secrets/list-secrets.ts'
import { removeSecret } from './commands/secrets/remove-secret.ts'
import { setSecret } from './commands/secrets/set-secret.ts'
import { completion } from './commands/shell/completion.ts'
import { compact } from './commands/state/compact.ts'
import { exportCommand } from './commands/state/export.ts'
import { importCommand } from './commands/state/import.ts'
import { recover } from './commands/state/recover.ts'
import { repair } from './commands/state/repair.ts'
import { unlock } from './commands/state/unlock.ts'
import { verify } from './commands/state/verify.ts'
import { talosGroup } from './commands/talos/talos-group.ts'

const secret: CommandGroup = {
  name: 'secret',
  description: 'keep secrets that the cluster file refers to by name',
  examples: [],
}

const addons: CommandGroup = {
  name: 'addons',
  description: 'look at what is installed beside Kubernetes itself',
  examples: [],
}

/**
 * Every command, in the order of the help; what stands below a word comes after it. Of `talos` the word alone: its verbs
 * are added where they are needed (whole-table.ts).
 */
export const commandTable: readonly (CliCommand | CommandGroup)[] = [
  init,
  plan,
  apply,
  adopt,
  buildImage,
  upgrade,
  destroy,
  status,
  kubeconfig,
  talosconfig,
  config,
  talosGroup,
  snapshot,
  listSnapshots,
  restore,
  recover,
  verify,
  signer,
  doctor,
  unlock,
  rotate,
  revoke,
  exportCommand,
  importCommand,
  repair,
  compact,
  secret,
  setSecret,
  listSecrets,
  removeSecret,
  addons,
  renderAddons,
  diffAddons,
  sandbox,
  completion,
]
