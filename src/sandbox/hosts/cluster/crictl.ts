import { runEtcdctl } from './etcdctl.ts'
import type { NodeRun } from './host-clusters.ts'
import type { HostContainer } from './host-node.ts'

/** As much of `crictl` as looks at containers, stops them and runs etcdctl in one. */
export async function runCrictl(nodeRun: NodeRun): Promise<number> {
  const { node, run } = nodeRun
  const [verb = '', ...args] = run.args
  if (!node.host.runs('containerd')) {
    run.err('FATA[0000] validate service connection: connection refused')
    return 1
  }
  switch (verb) {
    case 'ps':
    case 'pods':
      return listContainers(nodeRun, args)
    case 'stop':
    case 'rm':
      return stopContainers(nodeRun, args)
    case 'exec': {
      const [id = '', program = '', ...words] = args.filter((arg) => !/^-(i|t|it|-sync)$/.test(arg))
      if (containerOf(nodeRun, id) !== undefined && program === 'etcdctl') {
        return runEtcdctl(nodeRun, words)
      }
      run.err(`crictl: cannot run ${program} in ${id}`)
      return 1
    }
    case 'info':
      run.out(JSON.stringify({ status: { conditions: [{ type: 'RuntimeReady', status: true }] } }))
      return 0
    case 'logs':
    case 'pull':
      return 0
    default:
      run.err(`crictl: unknown ${verb}`)
      return 1
  }
}

function containerOf({ node }: NodeRun, id: string): HostContainer | undefined {
  return [...node.containers.values()].find((one) => one.id.startsWith(id))
}

function listContainers({ node, run }: NodeRun, args: readonly string[]): number {
  const at = args.indexOf('--name')
  const pattern = new RegExp(at < 0 ? '' : (args[at + 1] ?? ''))
  const found = [...node.containers.values()].filter(({ pod }) => pattern.test(pod.name))
  if (args.includes('--quiet') || args.includes('-q')) {
    for (const { id } of found) run.out(id)
  } else if (args.includes('json')) {
    const containers = found.map(({ id, pod }) => ({
      id,
      metadata: { name: pod.name },
      image: { image: pod.image },
      state: 'CONTAINER_RUNNING',
    }))
    run.out(JSON.stringify({ containers }))
  } else {
    run.out('CONTAINER IMAGE STATE NAME')
    for (const { id, pod } of found) run.out(`${id.slice(0, 13)} ${pod.image} Running ${pod.name}`)
  }
  return 0
}

async function stopContainers(nodeRun: NodeRun, args: readonly string[]): Promise<number> {
  const { node, run, clusters } = nodeRun
  for (const id of args.filter((arg) => !arg.startsWith('-'))) {
    const found = containerOf(nodeRun, id)
    if (found === undefined) {
      run.err(`container ${id} not found`)
      return 1
    }
    const member = found.pod.name === 'etcd' ? await node.memberId() : undefined
    if (node.cluster && member !== undefined) clusters.acts.losesVoter(node.cluster, member)
    if (found.pod.name !== 'kube-vip') clusters.acts.changesPod(node, found.pod.name)
    node.stopContainer(found.pod.name)
    run.out(id)
  }
  await node.cluster?.reconcile()
  return 0
}
