import type { NodeRun } from './host-clusters.ts'

/** The interface that hosts reach one another by. */
const device = 'eth0'

/** As much of `ip` as shows addresses and ways, changes addresses and takes links away. */
export async function runIp(nodeRun: NodeRun): Promise<number> {
  const { args } = nodeRun.run
  const [object = '', verb = 'show', what = ''] = args.filter((arg) => !arg.startsWith('-'))
  const isJson = args.some((arg) => arg.startsWith('-j'))
  const isAddress = object.startsWith('a')
  if (object.startsWith('r') && verb === 'get') return showRoute(nodeRun, what, isJson)
  if (isAddress && verb === 'show') return showAddresses(nodeRun, isJson)
  if (isAddress && (verb === 'add' || verb === 'del')) return changeAddress(nodeRun, verb, what)
  if (object === 'link' && verb.startsWith('del')) {
    nodeRun.run.err(`Cannot find device "${what}"`)
    return 1
  }
  nodeRun.run.err(`ip: unknown ${args.join(' ')}`)
  return 1
}

function showRoute({ node, run }: NodeRun, to: string, isJson: boolean): number {
  const isOwn = to === node.nodeIp || node.addresses.has(to)
  const dev = isOwn ? 'lo' : device
  const text = `${isOwn ? 'local ' : ''}${to} dev ${dev} src ${node.nodeIp} uid 0 \\    cache `
  run.out(isJson ? JSON.stringify([{ dst: to, dev, prefsrc: node.nodeIp, flags: [] }]) : text)
  return 0
}

function showAddresses({ node, run }: NodeRun, isJson: boolean): number {
  const links = [
    { ifindex: 1, ifname: 'lo', addresses: ['127.0.0.1/8'] },
    {
      ifindex: 2,
      ifname: device,
      addresses: [`${node.nodeIp}/24`, ...[...node.addresses].map((address) => `${address}/32`)],
    },
  ]
  if (isJson) {
    const shown = links.map(({ addresses, ...link }) => ({
      ...link,
      addr_info: addresses.map((address) => {
        const [local, prefix] = address.split('/')
        return { family: 'inet', local, prefixlen: Number(prefix) }
      }),
    }))
    run.out(JSON.stringify(shown))
    return 0
  }
  for (const { ifindex, ifname, addresses } of links) {
    for (const address of addresses) {
      const line = `${ifindex}: ${ifname}    inet ${address} scope global ${ifname}`
      run.out(`${line}\\       valid_lft forever preferred_lft forever`)
    }
  }
  return 0
}

function changeAddress({ node, clusters }: NodeRun, verb: 'add' | 'del', what: string): number {
  const address = what.replace(/\/.*/, '')
  if (verb === 'add') node.addresses.add(address)
  else node.addresses.delete(address)
  clusters.acts.holdsVip(clusters.nodes, address)
  return 0
}
