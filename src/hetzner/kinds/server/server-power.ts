import { isClusterError } from '../../../lib/cluster-error.ts'
import { waitFor } from '../../../lib/wait-for.ts'
import type { HetznerClient } from '../../api/hetzner-client.ts'
import type { ApiServer } from '../../api/servers.ts'
import { tolerances, tolerate } from '../../apply/tolerate.ts'

interface Switched {
  readonly id: number
  readonly name: string
}

/** How long a system may take to stop when it is asked nicely. */
const gracefulMs = 90_000

/** How often a server that stayed off although its start "succeeded" is switched on again. */
const startAttempts = 3

/** Switches a server on and returns when it runs: one in ten once stayed off after a successful start. */
export async function powerOn(client: HetznerClient, server: Switched): Promise<ApiServer> {
  for (let attempt = 1; ; attempt++) {
    await tolerate(client, tolerances.power, async () => {
      await client.waitForActions([await client.servers.powerOn(server.id)], {
        operation: 'switch on server',
        target: server.name,
      })
    })
    try {
      return await waitForStatus(client, server, 'running', 60_000)
    } catch (error) {
      if (!isClusterError(error, 'wait-timeout') || attempt === startAttempts) throw error
    }
  }
}

/** Cuts the power of a server and switches it on again. */
export async function resetServer(client: HetznerClient, server: Switched): Promise<void> {
  await tolerate(client, tolerances.power, async () => {
    await client.waitForActions([await client.servers.reset(server.id)], {
      operation: 'reset server',
      target: server.name,
    })
  })
}

/** Asks the system to stop, cuts the power if it does not, and returns when the server is off. */
export async function switchOff(client: HetznerClient, server: Switched): Promise<void> {
  const { status } = await client.servers.get(server.id)
  if (status === 'off') return
  try {
    await tolerate(client, tolerances.power, async () => {
      await client.waitForActions([await client.servers.shutdown(server.id)], {
        operation: 'shut down server',
        target: server.name,
      })
    })
    await waitForStatus(client, server, 'off', gracefulMs)
  } catch (error) {
    if (!isClusterError(error, 'wait-timeout')) throw error
    await cutPower(client, server)
  }
}

async function cutPower(client: HetznerClient, server: Switched): Promise<void> {
  await tolerate(client, tolerances.power, async () => {
    await client.waitForActions([await client.servers.powerOff(server.id)], {
      operation: 'switch off server',
      target: server.name,
    })
  })
  await waitForStatus(client, server, 'off', 60_000)
}

/** The server as soon as it has this status; throws `wait-timeout` after `withinMs`. */
function waitForStatus(
  client: HetznerClient,
  { id, name }: Switched,
  wanted: 'running' | 'off',
  withinMs: number,
): Promise<ApiServer> {
  return waitFor(
    `server ${name} to be ${wanted}`,
    async () => {
      const server = await client.servers.get(id)
      return server.status === wanted ? { done: server } : { pending: `it is ${server.status}` }
    },
    { clock: client.clock, signal: client.signal, everyMs: 1_000, withinMs },
  )
}
