import { status } from '@grpc/grpc-js'
import {
  type ClusterInfo,
  ClusterService,
  type HealthCheckRequest,
} from '../../../talos/api/gen/cluster/cluster_pb.js'
import type { TalosNode } from '../talos-node.ts'
import { requireControlPlane } from './require-control-plane.ts'
import { mayCall } from './roles.ts'
import { type Call, type Rpc, RpcError, serverStream } from './rpc.ts'

const pollMs = 5_000

interface Check {
  readonly title: string
  /** Why it is not true yet. */
  problem(nodes: ClusterNodes): string | undefined
  /** Whether it asks Kubernetes, with a kubeconfig that the node fetches with the roles of its caller. */
  readonly asksKubernetes?: true
}

interface ClusterNodes {
  readonly controlPlanes: readonly (TalosNode | string)[]
  readonly workers: readonly (TalosNode | string)[]
}

export const healthRpcs: readonly Rpc[] = [
  serverStream(ClusterService.method.healthCheck, async function* (request, call) {
    requireControlPlane(call.node, 'cluster health check')
    yield* healthCheck(request, call)
  }),
]

/** One check after the other, each awaited; facts: talos.md 6. */
async function* healthCheck(
  { waitTimeout, clusterInfo }: HealthCheckRequest,
  { node, roles, signal }: Call,
): AsyncIterable<{ message: string }> {
  const { clock } = node.world
  const deadline = clock.now() + Number(waitTimeout?.seconds ?? 300n) * 1_000
  const nodes = () => clusterNodes(node, clusterInfo)
  const { controlPlanes, workers } = nodes()
  const addresses = [...controlPlanes, ...workers].map((each) => JSON.stringify(addressOf(each)))
  yield { message: `discovered nodes: [${addresses.join(' ')}]` }
  for (const { title, problem } of checksFor(roles)) {
    let reported = ''
    yield { message: `waiting for ${title}: ...` }
    for (;;) {
      const pending = problem(nodes())
      if (pending === undefined) break
      if (pending !== reported) yield { message: `waiting for ${title}: ${pending}` }
      reported = pending
      if (clock.now() >= deadline) {
        throw new RpcError(status.DEADLINE_EXCEEDED, 'context deadline exceeded')
      }
      await clock.sleep(Math.min(pollMs, deadline - clock.now()), signal)
    }
    yield { message: `waiting for ${title}: OK` }
  }
}

/** The checks as they come out for a caller of these roles. */
function checksFor(roles: ReadonlySet<string>): readonly Check[] {
  if (mayCall(roles, '/machine.MachineService/Kubeconfig')) return checks
  const denied = () => 'rpc error: code = PermissionDenied desc = not authorized'
  return checks.map((check) => (check.asksKubernetes ? { ...check, problem: denied } : check))
}

function clusterNodes(node: TalosNode, info: ClusterInfo | undefined): ClusterNodes {
  const { cluster } = node
  const known = cluster === undefined ? [] : node.state.nodesOf(cluster)
  const find = (address: string) =>
    known.find(({ addresses }) => addresses.includes(address)) ?? address
  if (info !== undefined && info.controlPlaneNodes.length > 0) {
    return {
      controlPlanes: info.controlPlaneNodes.map(find),
      workers: info.workerNodes.map(find),
    }
  }
  return {
    controlPlanes: known.filter(({ config }) => config?.controlPlane),
    workers: known.filter(({ config }) => !config?.controlPlane),
  }
}

const checks: readonly Check[] = [
  {
    title: 'etcd to be healthy',
    problem: ({ controlPlanes }) =>
      first(controlPlanes, ({ etcd }) =>
        etcd.running?.quorum ? undefined : 'service "etcd" not in expected state "Running"',
      ),
  },
  {
    title: 'etcd members to be consistent across nodes',
    problem: ({ controlPlanes }) =>
      first(controlPlanes, ({ etcd }) => {
        const members = [...(etcd.running?.members.values() ?? [])]
        if (members.some(({ learner }) => learner)) return 'a member is a learner'
        return members.length === controlPlanes.length
          ? undefined
          : `expected ${controlPlanes.length} members, got ${members.length}`
      }),
  },
  {
    title: 'apid to be ready',
    problem: ({ controlPlanes, workers }) =>
      first([...controlPlanes, ...workers], ({ api }) =>
        api.listening ? undefined : 'connection refused',
      ),
  },
  {
    title: 'all nodes to finish boot sequence',
    problem: ({ controlPlanes, workers }) =>
      first([...controlPlanes, ...workers], ({ stage }) =>
        stage.name === 'running' ? undefined : `expected machine stage running, got ${stage.name}`,
      ),
  },
  {
    title: 'all k8s nodes to report ready',
    asksKubernetes: true,
    problem: ({ controlPlanes, workers }) =>
      first([...controlPlanes, ...workers], ({ stage }) =>
        stage.unmet.length === 0 ? undefined : (stage.unmet[0]?.reason ?? ''),
      ),
  },
]

function first(
  nodes: readonly (TalosNode | string)[],
  problem: (node: TalosNode) => string | undefined,
): string | undefined {
  for (const node of nodes) {
    const found = typeof node === 'string' ? 'no such node' : problem(node)
    if (found !== undefined) return `${addressOf(node)}: ${found}`
  }
  return undefined
}

function addressOf(node: TalosNode | string): string {
  return typeof node === 'string' ? node : (node.addresses[0] ?? node.name)
}
