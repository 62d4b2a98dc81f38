import type { ClusterRecord } from '../../../plan/record.ts'
import type { ApiLoadBalancer } from '../../api/load-balancers.ts'
import {
  type OwnerContext,
  type ResourceApply,
  requireId,
  specToApply,
} from '../../apply/apply-context.ts'
import { byName, createOrAdopt } from '../../apply/create-or-adopt.ts'
import { deleteResource } from '../../apply/delete-resource.ts'
import { readToUpdate } from '../../apply/read-or-gone.ts'
import { tolerances } from '../../apply/tolerate.ts'
import { isControllerLoadBalancer } from '../../controller-resources.ts'
import { isOurs } from '../../ownership.ts'
import { convergeLoadBalancer } from './converge-load-balancer.ts'
import { newHiddenName } from './load-balancer-name.ts'
import { loadBalancerSpecSchema } from './load-balancer-record.ts'

export const applyLoadBalancer: ResourceApply = {
  /** Without its network at first, since only attaching lets us choose its address. */
  create: async ({ name, spec }, context, report) => {
    const { loadBalancers, random } = context.client
    const desired = loadBalancerSpecSchema.parse(spec)
    const secretName = newHiddenName(name, random)
    report('creating')
    const { resource, actions } = await createOrAdopt(
      {
        kind: 'load-balancer',
        name,
        find: async () => byName(await loadBalancers.list({ name: secretName }), secretName),
        read: (id) => loadBalancers.get(id),
        create: () =>
          loadBalancers.create({
            name: secretName,
            load_balancer_type: desired.type,
            location: desired.location,
            algorithm: { type: desired.algorithm },
            labels: desired.labels,
          }),
      },
      context,
    )
    await context.client.waitForActions(actions, {
      operation: 'create load balancer',
      target: name,
    })
    return convergeLoadBalancer(resource, { name, desired }, context, report)
  },

  update: async (after, context, report) => {
    const id = requireId(context, `load-balancer/${after.name}`)
    const loadBalancer = await readToUpdate(after, () => context.client.loadBalancers.get(id))
    return convergeLoadBalancer(
      loadBalancer,
      { name: after.name, desired: loadBalancerSpecSchema.parse(specToApply(after)) },
      context,
      report,
    )
  },

  delete: (record, context) =>
    deleteResource(
      {
        record,
        read: (id) => context.client.loadBalancers.get(id),
        isMeant: (found) => isMeant(found, record, context),
        remove: (id) => context.client.loadBalancers.delete(id),
        tolerance: tolerances.deleteUsed,
      },
      context,
    ),
}

function isMeant(
  found: ApiLoadBalancer,
  record: ClusterRecord,
  { identity }: OwnerContext,
): boolean {
  if (isOurs(found.labels, identity.uid)) return true
  return record.facts?.['origin'] === 'controller' && isControllerLoadBalancer(found, record.name)
}
