import type { Change } from '../../plan/change.ts'
import { isDisruptive } from '../../planner/kubeadm/order-hosts.ts'
import { outOfService } from '../../planner/kubeadm/out-of-service.ts'
import type { Disruptions } from '../disruptions.ts'
import { returnToService, waitUntilHealthy } from '../node-service.ts'
import { resumeService } from '../resume-service.ts'
import { plainSteps } from '../run-step.ts'
import type { ConfigurationOptions } from './change-configuration.ts'
import { hostService } from './while-drained.ts'

interface ResumeOptions extends ConfigurationOptions {
  readonly disruptions: Disruptions
}

const apiWithinMs = 10 * 60_000

/** Nothing else is stopped while what an earlier run stopped is not back: see `resumeService`. */
export function resumeHosts(
  changes: readonly Change[],
  { view, context, reach, disruptions }: ResumeOptions,
): Promise<readonly Change[]> {
  const { spec } = view
  const controlPlanes = new Set(reach.controlPlanes.map(({ name }) => name))
  const isStopped = (name: string) =>
    changes.some((change) => isDisruptive(change) && (change.after ?? change.before)?.name === name)
  return resumeService({
    changes,
    nodes: outOfService(view, changes),
    context,
    disruptions,
    isControlPlane: (name) => controlPlanes.has(name),
    resume: async (name, progress) => {
      const kubernetes = await reach.kubernetes(apiWithinMs)
      const node = { name, context, spec, kubernetes, reach, progress, run: 'apply' } as const
      const service = { ...hostService(node), step: plainSteps(name, progress) }
      // One that this run drains again keeps its cordon until then.
      await (isStopped(name) ? waitUntilHealthy(service) : returnToService(service))
    },
  })
}
