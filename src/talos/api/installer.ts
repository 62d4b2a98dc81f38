import { ContainerDriver, ContainerdNamespace } from './gen/common/common_pb.js'
import { LifecycleService } from './gen/machine/lifecycle_pb.js'
import { MachineService } from './gen/machine/machine_pb.js'
import { onlyMessage } from './node-answers.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

const systemContainerd = {
  driver: ContainerDriver.CONTAINERD,
  namespace: ContainerdNamespace.NS_SYSTEM,
}
const longEnough = { timeoutMs: 900_000 }

/**
 * Installs another Talos from an image that was pulled before (Talos 1.13 and later); takes effect
 * with the next reboot. Returns the installer's exit code, which is no gRPC error; undefined when the
 * stream ended without one. Checks nothing: neither etcd nor workloads.
 */
export async function lifecycleUpgrade(
  client: TalosCaller,
  imageName: string,
  onMessage: (line: string) => void,
  options?: CallOptions,
): Promise<number | undefined> {
  const answers = client.stream(
    LifecycleService.method.upgrade,
    { containerd: systemContainerd, source: { imageName } },
    { ...longEnough, ...options },
  )
  let exitCode: number | undefined
  for await (const { progress } of answers) {
    if (progress?.response.case === 'message') onMessage(progress.response.value)
    if (progress?.response.case === 'exitCode') exitCode = progress.response.value
  }
  return exitCode
}

/**
 * Upgrades a node (Talos before 1.13): it pulls the image, checks etcd, drains itself, installs and
 * reboots. `preserve` and `force` stay off, since all that they would skip today is the etcd check.
 */
export async function legacyUpgrade(
  client: TalosCaller,
  image: string,
  options?: CallOptions,
): Promise<void> {
  const { messages } = await client.unary(
    MachineService.method.upgrade,
    { image },
    { ...longEnough, ...options },
  )
  onlyMessage(messages, { method: 'Upgrade', address: client.address })
}
