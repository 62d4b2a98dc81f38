import { ClusterError } from '../../../lib/cluster-error.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import type { ClusterStatus, NodeStatus } from '../../../planner/cluster-status.ts'
import { nearestName } from '../../../spec/nearest-name.ts'
import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { optionalArgument } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import { renderTable } from '../../terminal/render-table.ts'

/** Shows what there is: the cluster with its nodes, or one node with all that is known of it. */
export const status = defineCommand({
  name: 'status',
  description: 'show the cluster and its nodes as they are; changes nothing',
  examples: [
    { purpose: 'which nodes there are, what they run and what waits', line: '' },
    { purpose: 'one node', line: 'demo-workers-1' },
    { purpose: 'for a script: the address of the API', line: '--json | jq -r .endpoint' },
  ],
  takes: { ...clusterSettings(), node: optionalArgument('[node]') },
  async run({ terminal, openContext }, { config, json, node }) {
    const { showStatus } = await import('../../../commands/cluster/show-status.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const found = await showStatus(context, { file })
    if (node === undefined) {
      if (json) printJson(terminal, clusterJson(found))
      else terminal.print(formatCluster(found))
      return 0
    }
    const one = nodeNamed(found, node)
    if (json) printJson(terminal, nodeJson(one))
    else terminal.print(formatFields(fieldsOfNode(one)))
    return 0
  },
})

function clusterJson({ state, nodes, findings, ...rest }: ClusterStatus) {
  return {
    ...rest,
    pending: { apply: [...rest.pending.apply], upgrade: [...rest.pending.upgrade] },
    state: state && { ...state },
    nodes: nodes.map(nodeJson),
    findings: findings.map((finding) => ({ ...finding })),
  }
}

function nodeJson(node: NodeStatus) {
  return { ...node, machine: { ...node.machine } }
}

function nodeNamed({ cluster, nodes }: ClusterStatus, wanted: string): NodeStatus {
  const found = nodes.find(({ name }) => name === wanted)
  if (found) return found
  const names = nodes.map(({ name }) => name)
  const near = nearestName(wanted, names)
  throw new ClusterError('usage', `${wanted} is no node of ${cluster}`, {
    hint: near === undefined ? `Name one of them: ${names.join(', ')}.` : `Write ${near}.`,
  })
}

const columns = ['NODE', 'ROLE', 'STATUS', 'KUBERNETES', 'SYSTEM', 'ADDRESS', 'MACHINE', '']

function formatCluster(status: ClusterStatus): string {
  const { nodes, findings } = status
  const rows = nodes.map((node) => [
    node.name,
    node.role,
    describeReadiness(node),
    node.kubernetes ?? '-',
    node.system ?? '-',
    node.address ?? node.internalAddress,
    describeMachine(node),
    node.because ?? '',
  ])
  const found = findings
    .map(({ severity, message }) => `${severity}: ${visibleLine(message)}\n`)
    .join('')
  return [formatFields(fieldsOfCluster(status)), renderTable(columns, rows), found]
    .filter((part) => part !== '')
    .join('\n')
}

function fieldsOfCluster(status: ClusterStatus): [string, string][] {
  const { kubernetes, state, pending, addons, uid } = status
  const { wanted, runs } = kubernetes
  const isWanted = runs === null || runs === wanted
  return [
    ['cluster', uid === null ? `${status.cluster}, not begun` : `${status.cluster} (${uid})`],
    ['API', status.endpoint ?? 'not known yet'],
    ['Kubernetes', isWanted ? wanted : `${runs}, the file asks for ${wanted}`],
    ...Object.entries(addons).map(([name, version]): [string, string] => [
      'addon',
      `${name} ${version}`,
    ]),
    ...fieldsOfState(state),
    ['to apply', describePending(pending.apply)],
    ['to upgrade', describePending(pending.upgrade)],
  ]
}

function fieldsOfState(state: ClusterStatus['state']): [string, string][] {
  if (state === null) return []
  const { generation, run, writtenAt, appliedCommit } = state
  const written: [string, string] = [
    'state',
    `generation ${generation}, by run ${run} at ${writtenAt}`,
  ]
  return appliedCommit === null ? [written] : [written, ['applied', `commit ${appliedCommit}`]]
}

function describePending(keys: readonly string[]): string {
  const [first] = keys
  if (first === undefined) return 'nothing'
  return keys.length === 1 ? first : `${first} and ${keys.length - 1} more`
}

function fieldsOfNode(node: NodeStatus): [string, string][] {
  const { machine } = node
  const known: readonly (readonly [string, string | null])[] = [
    ['node', node.name],
    ['role', node.pool === node.role ? node.role : `${node.role} of ${node.pool}`],
    ['status', describeReadiness(node)],
    ['because', node.because],
    ['Kubernetes', node.kubernetes],
    ['system', node.system],
    ['address', node.address],
    ['internal address', node.internalAddress],
    ['machine', describeMachine(node)],
    ['machine id', machine.id],
    ['type', machine.type],
    ['place', machine.place],
    ['certificates end', node.certificatesEnd],
  ]
  return known.flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  )
}

function describeReadiness({ ready, cordonedBy }: NodeStatus): string {
  const readiness = ready === null ? 'unknown' : ready ? 'Ready' : 'NotReady'
  return cordonedBy === null ? readiness : `${readiness}, cordoned by run ${cordonedBy}`
}

function describeMachine({ machine: { kind, state } }: NodeStatus): string {
  return `${kind} ${state}`
}

/** Names and values under one another. */
function formatFields(fields: readonly (readonly [string, string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${visibleLine(value)}\n`).join('')
}
