import { type ApiContext, timestamp } from '../api/api-context.ts'
import { ApiError, badRequest } from '../model/api-error.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectsAt, textAt } from '../model/read-json.ts'
import type { ApiReply, ApiRequest } from './api-request.ts'

/**
 * A pod's log, one line long. As with a real kubelet it cannot be had before the kubelet's serving
 * certificate was approved and issued.
 */
export function podLog(context: ApiContext, request: ApiRequest, pod: KubeObject): ApiReply {
  const node = textAt(pod, 'spec', 'nodeName')
  const names = objectsAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name'))
  const container = request.query.get('container') ?? names[0] ?? ''
  const { name } = pod.metadata
  if (!names.includes(container)) {
    throw badRequest(`container ${container} is not valid for pod ${name}`)
  }
  if (textAt(pod, 'status', 'phase') === 'Pending') {
    throw badRequest(
      `container "${container}" in pod "${name}" is waiting to start: ContainerCreating`,
    )
  }
  if (!hasServingCertificate(context, node)) {
    const address = textAt(pod, 'status', 'hostIP')
    const url = `https://${address}:10250/containerLogs/${pod.metadata.namespace}/${name}/${container}`
    throw new ApiError(500, 'InternalError', `Get "${url}": remote error: tls: internal error`)
  }
  return { code: 200, text: `${timestamp(context)} ${container} started\n` }
}

function hasServingCertificate({ store }: ApiContext, node: string): boolean {
  return store
    .list('certificatesigningrequests.certificates.k8s.io')
    .some(
      (request) =>
        textAt(request, 'spec', 'username') === `system:node:${node}` &&
        textAt(request, 'status', 'certificate') !== '',
    )
}
