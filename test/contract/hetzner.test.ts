import { afterAll, beforeAll, describe } from 'vitest'
import { sandboxTokens, serveHetzner } from '../../src/sandbox/hetzner/api/serve-hetzner.ts'
import { World } from '../../src/sandbox/world.ts'
import { type ApiCall, apiCall } from './api-call.ts'
import { hetznerContract } from './hetzner-contract.ts'

/** A token of an empty project at Hetzner: the same sentences are then asked of Hetzner itself. */
const token = process.env['HCLOUD_TALOS_CONTRACT_TOKEN']

describe("The sandbox's Hetzner", () => {
  let world: World
  let call: ApiCall
  beforeAll(async () => {
    world = new World()
    const { url } = await serveHetzner(world)
    call = apiCall(url, Object.keys(sandboxTokens)[0] ?? '')
  })
  afterAll(() => world.close())
  hetznerContract((...asked) => call(...asked))
})

describe.runIf(token)('Hetzner', () => {
  hetznerContract(apiCall('https://api.hetzner.cloud/v1', token ?? ''))
})
