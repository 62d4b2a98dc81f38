import { debugMethods } from './methods/debug-methods.ts'
import { etcdMethods } from './methods/etcd-methods.ts'
import { fileMethods } from './methods/file-methods.ts'
import { imageMethods } from './methods/image-methods.ts'
import { lifecycleMethods } from './methods/lifecycle-methods.ts'
import { machineMethods } from './methods/machine-methods.ts'
import { networkMethods } from './methods/network-methods.ts'
import {
  clusterMethods,
  inspectMethods,
  storageMethods,
  timeMethods,
} from './methods/other-methods.ts'
import { resourceMethods } from './methods/resource-methods.ts'
import { serviceMethods } from './methods/service-methods.ts'
import { systemMethods } from './methods/system-methods.ts'
import type { TalosCaller } from './talos-caller.ts'

/** Every method of every service of a Talos node, by service: see their files for what each one does. */
export type TalosApi = ReturnType<typeof talosApi>

/**
 * The whole API of one node over a caller. Streams yield answers as they come and end with the loop that
 * leaves them. Every call takes CallOptions last; failures are those of the caller.
 */
export function talosApi(caller: TalosCaller) {
  return {
    machine: {
      ...systemMethods(caller),
      ...serviceMethods(caller),
      ...networkMethods(caller),
      ...fileMethods(caller),
      ...etcdMethods(caller),
      ...machineMethods(caller),
    },
    cluster: clusterMethods(caller),
    time: timeMethods(caller),
    storage: storageMethods(caller),
    inspect: inspectMethods(caller),
    resources: resourceMethods(caller),
    image: imageMethods(caller),
    lifecycle: lifecycleMethods(caller),
    debug: debugMethods(caller),
  }
}
