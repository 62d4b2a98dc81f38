import type { CloudHooks } from '../../kubernetes/cloud-hooks.ts'

/** Hosts that exist are of no cloud: its controllers find nothing there. */
export const noCloud: CloudHooks = {
  server: () => undefined,
  isGone: () => false,
  createLoadBalancer: () => Promise.reject(new Error('hosts have no load balancers')),
  deleteLoadBalancer: () => {},
  createVolume: () => {
    throw new Error('hosts have no volumes')
  },
  attachVolume: () => {},
  detachVolume: () => {},
  deleteVolume: () => {},
}
