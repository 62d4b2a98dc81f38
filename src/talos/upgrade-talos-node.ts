import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Checked } from '../lib/wait-for.ts'
import { getMachineStatus } from './api/machine-status.ts'
import { readBootId } from './api/node-file.ts'
import { getVersion } from './api/node-version.ts'
import { pullImage } from './api/pull-image.ts'
import { runInstaller } from './api/run-installer.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosConnection } from './api/talos-caller.ts'
import { hasLifecycleApi } from './has-lifecycle-api.ts'
import { describeInstallerExit } from './installer-exit.ts'
import { type TalosWaitOptions, waitForTalos } from './wait-for-talos.ts'

export interface UpgradeOptions {
  /** The installer of the factory, with the schematic: see installerImage. */
  readonly image: string
  /** The version that runs now, as the node tells it: it decides which API there is. */
  readonly fromVersion: string
  readonly onProgress?: ((line: string) => void) | undefined
}

/**
 * Installs another Talos on a node and sends it into the reboot that starts it, through the API that
 * the running version has. It neither looks at etcd nor drains: the caller does both before, and waits
 * with waitForTalosVersion after. An answer that is lost on the way down is no failure, since the wait
 * judges by what runs. Throws `talos-upgrade-failed` when the installer fails.
 */
export async function upgradeTalosNode(
  client: TalosConnection,
  { image, fromVersion, onProgress = () => undefined }: UpgradeOptions,
): Promise<void> {
  const { machine } = talosApi(client)
  if (!hasLifecycleApi(fromVersion)) {
    onProgress(`installs ${image}`)
    // It pulls the image, checks etcd, drains itself, installs and reboots. `preserve` and `force` stay off,
    // since all that they would skip today is the check of etcd.
    return untilItGoesDown(machine.upgrade(image))
  }
  onProgress(`pulls ${image}`)
  const name = await pullImage(client, image, 'system')
  onProgress(`installs ${image}`)
  const exitCode = await runInstaller(client, name, onProgress)
  if (exitCode !== 0) {
    const { message, hint } = describeInstallerExit(exitCode)
    const operation = `install ${image}`
    throw new ClusterError('talos-upgrade-failed', message, {
      operation,
      target: client.address,
      hint,
    })
  }
  onProgress('reboots')
  await untilItGoesDown(machine.reboot())
}

export interface WaitForVersionOptions extends TalosWaitOptions {
  /** `v1.13.0`. */
  readonly version: string
  /** The boot id from before the upgrade: only another one proves that the node was down. */
  readonly formerBootId: string
}

/**
 * Waits until a node has booted again, runs `version` and has finished starting. Whether Kubernetes and
 * etcd are well with it is another question. Throws `wait-timeout`.
 */
export async function waitForTalosVersion(
  client: TalosConnection,
  options: WaitForVersionOptions,
): Promise<void> {
  await waitForTalos(
    `${client.address} to run Talos ${options.version}`,
    () => checkVersion(client, options),
    options,
    {
      defaultMs: 900_000,
      hint: 'If it came back with its old version, the boot loader fell back: see `hcloud-talos talos dmesg`.',
    },
  )
}

async function checkVersion(
  client: TalosConnection,
  { version, formerBootId }: WaitForVersionOptions,
): Promise<Checked<true>> {
  if ((await readBootId(client)) === formerBootId) return { pending: 'it has not gone down yet' }
  const { tag } = await getVersion(client)
  if (tag !== version) return { pending: `it came back with ${tag}` }
  const machine = await getMachineStatus(client)
  return machine?.stage === 'running'
    ? { done: true }
    : { pending: `it is ${machine?.stage ?? 'starting'}` }
}

async function untilItGoesDown(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isClusterError(error, 'talos-unreachable')) throw error
  }
}
