import { LifecycleService } from '../gen/machine/lifecycle_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'
import { containerdOf, imageMs } from './image-store.ts'

const { method } = LifecycleService

/**
 * Talos on a disk (Talos 1.13 and later). The image must have been pulled into the system's containerd.
 * Answers are lines of the installer and then its exit code: one that is not 0 is no failure of the call.
 * For os:admin.
 */
export function lifecycleMethods(caller: TalosCaller) {
  const containerd = containerdOf('system')
  return {
    /** Installs it to a disk (`/dev/sda`) that has none. */
    install: (imageName: string, disk: string, options?: CallOptions) =>
      caller.stream(
        method.install,
        { containerd, source: { imageName }, destination: { disk } },
        { timeoutMs: imageMs, ...options },
      ),

    /** Installs it beside the running one; the next reboot starts it. Checks nothing. */
    upgrade: (imageName: string, options?: CallOptions) =>
      caller.stream(
        method.upgrade,
        { containerd, source: { imageName } },
        { timeoutMs: imageMs, ...options },
      ),
  }
}
