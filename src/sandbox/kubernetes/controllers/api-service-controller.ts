import { timestamp } from '../api/api-context.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectsAt, textAt, valueAt } from '../model/read-json.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import { type ConditionChange, withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'
import { hasEndpoints } from './endpoint-controller.ts'

const resource = 'apiservices.apiregistration.k8s.io'

/** Says of every APIService whether it is available: whether somebody answers for its Service. */
export function apiServiceController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'apiservice',
    concerns: (event) => {
      if (event.resource === resource) return [event.object.metadata.name]
      if (event.resource !== 'endpoints') return []
      return store.list(resource).map(({ metadata }) => metadata.name)
    },
    reconcile: (name) => {
      const service = store.get(resource, name)
      if (!service) return undefined
      const conditions = withCondition(
        objectsAt(service, 'status', 'conditions'),
        availability(context, service),
        timestamp(context.api),
      )
      putStatus(context, resource, service, { conditions })
      return undefined
    },
  }
}

function availability(context: ClusterContext, apiService: KubeObject): ConditionChange {
  const type = 'Available'
  if (valueAt(apiService, 'spec', 'service') === undefined) {
    const message = 'Local APIServices are always available'
    return { type, status: 'True', reason: 'Local', message }
  }
  const namespace = textAt(apiService, 'spec', 'service', 'namespace')
  const name = textAt(apiService, 'spec', 'service', 'name')
  if (!context.api.store.get('services', `${namespace}/${name}`)) {
    const message = `service/${name} in "${namespace}" is not present`
    return { type, status: 'False', reason: 'ServiceNotFound', message }
  }
  if (!hasEndpoints(context, `${namespace}/${name}`)) {
    const message = `endpoints for service/${name} in "${namespace}" have no addresses with port name ""`
    return { type, status: 'False', reason: 'MissingEndpoints', message }
  }
  return { type, status: 'True', reason: 'Passed', message: 'all checks passed' }
}
