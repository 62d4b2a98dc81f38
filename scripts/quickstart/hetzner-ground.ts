import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxEnvironment } from '../../src/sandbox/sandbox-environment.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import type { Ground } from './ground.ts'

/** Servers that are created at a simulated Hetzner, with Talos. */
export const hetznerGround: Ground = {
  parts: 'Hetzner, Talos, Kubernetes, charts, GitHub and git',
  async open({ folder, path }) {
    const sandbox = await startSandbox({ folder, path, latencies: 'none' })
    const { endpoints, world } = sandbox
    const example = join(import.meta.dirname, '../../examples/minimal.yaml')
    return {
      sandbox,
      clusterFile: await readFile(example, 'utf8'),
      clusterName: 'demo',
      environment: sandboxEnvironment(endpoints),
      inputs: {
        plan: { 'hcloud-token': endpoints.hcloud.readOnlyToken },
        apply: { 'hcloud-token': endpoints.hcloud.token },
      },
      looks: {
        title: 'The cluster: nodes, kubeconfig, talosconfig',
        commands: ['kubeconfig', 'talosconfig'].map((name) => [name, '--out', join(folder, name)]),
      },
      afterDestroy() {
        const { servers, networks, firewalls, loadBalancers, placementGroups, volumes } =
          world.hetzner
        const left = [servers, networks, firewalls, loadBalancers, placementGroups, volumes]
        return [
          {
            sentence:
              'Hetzner has no server, network, firewall, load balancer, placement group or volume',
            isTrue: left.every((kind) => kind.size === 0),
          },
          {
            sentence: 'the product sent nothing that no API knows',
            isTrue: world.contractErrors.length === 0,
          },
        ]
      },
      close: () => sandbox.close(),
    }
  },
}
