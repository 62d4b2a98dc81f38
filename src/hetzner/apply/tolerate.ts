import { retry } from '../../lib/retry.ts'
import { type HetznerApiError, isHetznerError } from '../api/hetzner-api-error.ts'
import type { HetznerClient } from '../api/hetzner-client.ts'

/** How an act on Hetzner's resources is carried through: what is tried again, what is success in disguise. */
export interface Tolerance {
  readonly retryOn: (error: HetznerApiError) => boolean
  /** Codes that say that it is so already. */
  readonly success: readonly string[]
  /** Beyond the first try; 5 by default, one second apart at first, doubling. */
  readonly retries?: number
}

const codes =
  (...list: string[]) =>
  (error: HetznerApiError) =>
    list.includes(error.apiCode)

/** What another try cannot repair. */
const hopeless = ['unauthorized', 'forbidden', 'not_found', 'protected', 'invalid_input']

/**
 * What Hetzner's own Terraform provider and cloud controller had to learn, act by act: resources are
 * locked while others change them, and let go of each other late.
 */
export const tolerances = {
  attachServer: {
    retryOn: codes('conflict', 'locked', 'service_error', 'no_subnet_available'),
    success: ['server_already_attached'],
  },
  detachServer: {
    retryOn: codes('conflict', 'locked', 'service_error'),
    success: ['not_found'],
  },
  attachLoadBalancer: {
    retryOn: codes('conflict', 'locked', 'service_error', 'no_subnet_available'),
    success: ['load_balancer_already_attached'],
  },
  changeNetwork: { retryOn: codes('conflict', 'locked'), success: [] },
  applyFirewall: {
    retryOn: codes('conflict', 'locked'),
    success: ['firewall_already_applied', 'server_already_added'],
  },
  removeFirewall: {
    retryOn: codes('conflict', 'locked'),
    success: ['not_found', 'firewall_resource_not_found', 'firewall_already_removed'],
  },
  changeLoadBalancer: { retryOn: codes('conflict', 'locked', 'service_error'), success: [] },
  addTarget: {
    retryOn: codes('conflict', 'locked', 'load_balancer_not_attached_to_network'),
    success: ['target_already_defined'],
  },
  addService: {
    retryOn: codes('conflict', 'locked', 'service_error'),
    success: ['source_port_already_used'],
  },
  removeTarget: { retryOn: codes('conflict', 'locked'), success: ['not_found'] },
  power: { retryOn: (error) => !hopeless.includes(error.apiCode), success: [] },
  changePlacementGroup: {
    retryOn: codes('conflict', 'locked', 'placement_group_member_limit_reached'),
    success: ['already_in_placement_group'],
  },
  /** After a server's end a group may count it for a while still. */
  createServer: {
    retryOn: codes('locked', 'placement_group_member_limit_reached'),
    success: [],
    retries: 3,
  },
  detachVolume: { retryOn: codes('conflict', 'locked'), success: ['not_found'] },
  deleteServer: { retryOn: codes('conflict', 'locked'), success: ['not_found'] },
  /** Firewalls, groups and networks stay "in use" for seconds after their servers are gone. */
  deleteUsed: {
    retryOn: codes('conflict', 'locked', 'resource_in_use', 'service_error'),
    success: ['not_found'],
    retries: 10,
  },
} satisfies Record<string, Tolerance>

/** Runs `act` under a tolerance; undefined where Hetzner said that it was so already. */
export async function tolerate<T>(
  { clock, random, signal }: HetznerClient,
  tolerance: Tolerance,
  act: () => Promise<T>,
): Promise<T | undefined> {
  const isSuccess = (error: unknown) =>
    isHetznerError(error) && tolerance.success.includes(error.apiCode)
  try {
    return await retry(
      act,
      {
        retries: tolerance.retries ?? 5,
        baseMs: 1_000,
        maxMs: 30_000,
        retryable: (error) =>
          isHetznerError(error) && !isSuccess(error) && tolerance.retryOn(error),
      },
      { clock, random, ...(signal ? { signal } : {}) },
    )
  } catch (error) {
    if (isSuccess(error)) return undefined
    throw error
  }
}
