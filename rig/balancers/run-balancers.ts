import type {
  LoadBalancerRecord,
  LoadBalancerService,
} from '../../src/sandbox/hetzner/load-balancers/load-balancer.ts'
import { serversOfTarget } from '../../src/sandbox/hetzner/load-balancers/servers-of-target.ts'
import { isHealthyAnswer } from '../../src/sandbox/hetzner/load-balancers/target-health.ts'
import type { ServerRecord } from '../../src/sandbox/hetzner/servers/server.ts'
import type { World } from '../../src/sandbox/world.ts'
import type { RigNetwork } from '../network/rig-network.ts'
import { BalancedService, type BalancedTarget } from './balanced-service.ts'
import type { TargetAddress } from './check-target.ts'

/** How often the balancers are told what changed at Hetzner's front, in milliseconds. */
const syncMs = 200

interface Running {
  /** Service and addresses as they were when it was opened. */
  readonly opened: string
  readonly service: BalancedService
  readonly port: number
}

/** By balancer and port. */
type RunningServices = Map<string, Running>

/** Lets the world's load balancers do their work: they forward, and check what they forward to. */
export function runBalancers(world: World, network: RigNetwork): void {
  const running: RunningServices = new Map()
  let turn = Promise.resolve()
  const timer = setInterval(() => {
    turn = turn.then(() => follow(world, network, running))
    world.background(() => turn)
  }, syncMs)
  world.targetProbes.push((machine, port) => {
    for (const { service, port: checked } of running.values()) {
      const found = checked === port ? service.found(machine.serverId) : undefined
      if (found !== undefined) return found
    }
    return undefined
  })
  world.onClose(async () => {
    clearInterval(timer)
    await turn.catch(() => {})
    await Promise.all([...running.values()].map(({ service }) => service.close()))
  })
}

async function follow(world: World, network: RigNetwork, running: RunningServices): Promise<void> {
  const wanted = new Map<string, { balancer: LoadBalancerRecord; service: LoadBalancerService }>(
    [...world.hetzner.loadBalancers.values()].flatMap((balancer) =>
      balancer.services.map(
        (service) => [`${balancer.id}:${service.listenPort}`, { balancer, service }] as const,
      ),
    ),
  )
  for (const [key, { opened, service }] of running) {
    const now = wanted.get(key)
    if (now !== undefined && descriptionOf(now.balancer, now.service) === opened) continue
    running.delete(key)
    await service.close()
  }
  for (const [key, { balancer, service }] of wanted) {
    if (!running.has(key)) {
      // Its addresses must be there before anything can listen on them.
      await network.sync()
      const isHealthy = (found: Parameters<typeof isHealthyAnswer>[1]) =>
        isHealthyAnswer(service.healthCheck, found)
      running.set(key, {
        opened: descriptionOf(balancer, service),
        service: await BalancedService.open(service, addressesOf(balancer), isHealthy),
        port: service.healthCheck.port,
      })
    }
    const open = running.get(key)
    if (open !== undefined) open.service.targets = targetsOf(world, balancer)
  }
}

function descriptionOf(balancer: LoadBalancerRecord, service: LoadBalancerService): string {
  return JSON.stringify([service, addressesOf(balancer)])
}

function addressesOf({ publicEnabled, ipv4, privateNets }: LoadBalancerRecord): string[] {
  return [...(publicEnabled ? [ipv4] : []), ...privateNets.map(({ ip }) => ip)]
}

function targetsOf(world: World, balancer: LoadBalancerRecord): BalancedTarget[] {
  return balancer.targets.flatMap((target) =>
    serversOfTarget(world, balancer, target)
      .filter(({ id }) => world.machine(id)?.power === 'on')
      .flatMap((server) => {
        const way =
          target.type !== 'ip' && target.usePrivateIp
            ? privateWay(balancer, server)
            : publicWay(world, balancer, server)
        return way === undefined ? [] : [{ serverId: server.id, ...way }]
      }),
  )
}

/** Through the first network of both. */
function privateWay(
  { privateNets }: LoadBalancerRecord,
  server: ServerRecord,
): TargetAddress | undefined {
  for (const { network, ip: from } of privateNets) {
    const host = server.privateNets.find((net) => net.network === network)?.ip
    if (host !== undefined) return { host, from }
  }
  return undefined
}

function publicWay(
  world: World,
  { ipv4: from }: LoadBalancerRecord,
  { id }: ServerRecord,
): TargetAddress | undefined {
  const host = world.machine(id)?.publicIp
  return host === undefined ? undefined : { host, from }
}
