import type { Hardware } from '../../hardware.ts'
import { invalidInput } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { type Call, post, type Route } from '../api/route.ts'
import type { ServerRecord } from './server.ts'
import { answerExclusive, findFreeServer, type ServerActionPlan } from './server-action.ts'

type PowerPlan = Pick<ServerActionPlan, 'command' | 'transition'> & {
  readonly change: (machine: Hardware, call: Call) => void | Promise<void>
}

const plans: Readonly<Record<string, PowerPlan>> = {
  poweron: {
    command: 'start_server',
    transition: 'starting',
    change: (machine) => machine.powerOn(),
  },
  poweroff: {
    command: 'stop_server',
    transition: 'stopping',
    change: (machine) => machine.powerOff(),
  },
  // Success means that the signal was sent; a machine without a system never reacts to it.
  shutdown: {
    command: 'shutdown_server',
    change: (machine, call) => {
      if (machine.running !== 'nothing') call.world.background(() => machine.powerOff())
    },
  },
  reboot: {
    command: 'reboot_server',
    change: async (machine) => {
      if (machine.running !== 'nothing') await machine.powerCycle()
    },
  },
  reset: { command: 'reset_server', change: (machine) => machine.powerCycle() },
}

export const powerRoutes: Route[] = Object.entries(plans).map(([name, plan]) =>
  post(`/servers/{id}/actions/${name}`, fields.nothing, (call) => {
    const server = findFreeServer(call)
    const machine = call.world.machines.get(server.id)
    if (name !== 'poweroff' && name !== 'shutdown') ensureReachable(server)
    return answerExclusive(call, server, {
      command: plan.command,
      latency: 'power',
      ...(plan.transition && { transition: plan.transition }),
      run: async () => {
        if (machine !== undefined) await plan.change(machine, call)
      },
    })
  }),
)

/** A server without any network interface cannot be switched on. */
function ensureReachable(server: ServerRecord): void {
  if (server.ipv4 !== null || server.ipv6 !== null || server.privateNets.length > 0) return
  throw invalidInput('server needs at least one network interface')
}
