import { requireEmptyNamespace } from '../network/require-empty-namespace.ts'
import { runProgram } from '../run-program.ts'

/** Addresses of a world of hosts, which exist in its own network namespace alone. */
export const hostAddresses = {
  /** Whoever uses the hosts, and what they fetch from the world outside: packages, images. */
  outside: '10.88.0.1',
  /** Somebody's load balancer before the control planes. */
  balancer: '10.88.0.2',
  prefix: 24,
} as const

const bridge = 'rig-hosts'

/**
 * One Ethernet for all hosts, in the network namespace that this process lives in: a bridge, a namespace with one
 * interface for each host. So what they say by ARP is heard by all, as in a rack.
 */
export class HostNetwork {
  #last = 10

  private constructor() {}

  /** Throws in a namespace that has wires: it may be that of the machine. */
  static async open(): Promise<HostNetwork> {
    await requireEmptyNamespace()
    await ip('link', 'set', 'lo', 'up')
    await ip('link', 'add', bridge, 'type', 'bridge')
    for (const address of [hostAddresses.outside, hostAddresses.balancer]) {
      await ip('addr', 'add', `${address}/${hostAddresses.prefix}`, 'dev', bridge)
    }
    await ip('link', 'set', bridge, 'up')
    await runProgram('sysctl', ['-qw', 'net.ipv4.ip_forward=1'])
    await runProgram('mkdir', ['-p', '/run/netns'])
    // Names of namespaces stay within this process's own mounts.
    await runProgram('mount', ['-t', 'tmpfs', 'rig-netns', '/run/netns'])
    return new HostNetwork()
  }

  allocate(): string {
    return hostAddresses.outside.replace(/\d+$/, String(++this.#last))
  }

  /** Wires a host that is switched on; returns the path of its namespace. */
  async plug(name: string, address: string): Promise<string> {
    const link = `h-${address.split('.').at(-1)}`
    await ip('netns', 'add', name)
    await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    await ip('link', 'set', link, 'master', bridge, 'up')
    await ip('-n', name, 'link', 'set', 'lo', 'up')
    await ip('-n', name, 'link', 'set', 'eth0', 'up')
    await ip('-n', name, 'addr', 'add', `${address}/${hostAddresses.prefix}`, 'dev', 'eth0')
    await ip('-n', name, 'route', 'add', 'default', 'via', hostAddresses.outside)
    return `/run/netns/${name}`
  }

  /** What was switched off has no wires, so nothing of it answers, also not at an address that it had taken. */
  async unplug(name: string): Promise<void> {
    await ip('netns', 'delete', name)
  }
}

function ip(...args: string[]): Promise<string> {
  return runProgram('ip', args)
}
