import type { JsonObject } from '../../lib/json.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'

/** How long kubeadm itself waits: as long as the step that it is in may take. */
export function kubeadmTimeouts(
  { kubeadm: { timeoutMinutes } }: HostsSpec,
  step: 'init' | 'join' | 'upgrade',
): JsonObject {
  const limit = `${timeoutMinutes[step]}m0s`
  return {
    timeouts: {
      controlPlaneComponentHealthCheck: limit,
      kubeletHealthCheck: limit,
      ...(step === 'join' && { discovery: limit, tlsBootstrap: limit }),
      ...(step === 'upgrade' && { upgradeManifests: limit }),
    },
  }
}
