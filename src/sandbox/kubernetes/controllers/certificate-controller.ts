import { issueKey } from '../../pki.ts'
import { nameSuffix, timestamp } from '../api/api-context.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectAt, objectsAt, textAt } from '../model/read-json.ts'
import { make } from './bootstrap-objects.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import { isTrue, withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'
import { isOf, readyPodsOf } from './running-workload.ts'
import { servingRequest } from './serving-request.ts'

const resource = 'certificatesigningrequests.certificates.k8s.io'
const signerName = 'kubernetes.io/kubelet-serving'

/** Programs that approve kubelets' serving certificates. */
const approvers = ['kubelet-csr-approver', 'talos-cloud-controller-manager']

/** Kubelets ask for serving certificates; an approver, once it runs, approves; the signer signs. */
export function certificateController(context: ClusterContext): Controller {
  const { store } = context.api
  /** Addresses for which each node has asked last. */
  const asked = new Map<string, string>()
  return {
    name: 'certificates',
    concerns: (event) => {
      if (event.resource === 'nodes')
        return event.type === 'DELETED' ? [] : [`node|${event.object.metadata.name}`]
      if (event.resource === resource) return ['requests']
      const isNews =
        event.resource === 'pods' && approvers.some((program) => isOf(event.object, program))
      return isNews ? ['requests'] : []
    },
    reconcile: (key) => {
      const name = key.startsWith('node|') ? key.slice(5) : undefined
      if (name !== undefined) ask(context, asked, name)
      else for (const request of store.list(resource)) decide(context, request)
      return undefined
    },
  }
}

/** A kubelet asks when it comes up, and again whenever its addresses have changed. */
function ask(context: ClusterContext, asked: Map<string, string>, name: string): void {
  const node = context.api.store.get('nodes', name)
  if (!node || !context.kubelets.get(name)?.up) return
  const addresses = objectsAt(node, 'status', 'addresses')
    .filter((address) => textAt(address, 'type') !== 'Hostname')
    .map((address) => textAt(address, 'address'))
    .filter((address, index, all) => all.indexOf(address) === index)
  const wanted = [node.metadata.uid, ...addresses].join(' ')
  if (addresses.length === 0 || asked.get(name) === wanted) return
  asked.set(name, wanted)
  make(context, resource, {
    metadata: { name: `csr-${nameSuffix(context.api)}`, generateName: 'csr-' },
    spec: {
      request: Buffer.from(servingRequest(name, addresses)).toString('base64'),
      signerName,
      username: `system:node:${name}`,
      groups: ['system:nodes', 'system:authenticated'],
      usages: ['digital signature', 'server auth'],
    },
  })
}

function decide(context: ClusterContext, request: KubeObject): void {
  if (textAt(request, 'spec', 'signerName') !== signerName) return
  const isDecided = isTrue(request, 'Approved') || isTrue(request, 'Denied')
  if (!isDecided && approvers.some((program) => readyPodsOf(context, program).length > 0)) {
    approve(context, request)
  } else if (isTrue(request, 'Approved') && textAt(request, 'status', 'certificate') === '') {
    sign(context, request)
  }
}

function approve(context: ClusterContext, request: KubeObject): void {
  const now = timestamp(context.api)
  const conditions = withCondition(
    objectsAt(request, 'status', 'conditions'),
    {
      type: 'Approved',
      status: 'True',
      reason: 'Approved by kubelet-csr-approver',
      message: 'the request has the names and addresses of its node',
    },
    now,
    { lastUpdateTime: now },
  )
  putStatus(context, resource, request, { ...objectAt(request, 'status'), conditions })
}

function sign(context: ClusterContext, request: KubeObject): void {
  const node = textAt(request, 'spec', 'username')
  const { crt } = issueKey('p256', {
    subject: { commonName: node, organizations: ['system:nodes'] },
    issuer: context.ca,
    usages: ['serverAuth'],
    dnsNames: [node.replace('system:node:', '')],
    lifetimeMs: 365 * 86_400_000,
  })
  const certificate = Buffer.from(crt).toString('base64')
  putStatus(context, resource, request, { ...objectAt(request, 'status'), certificate })
}
