import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { routeOf } from '../scripts/front-requests/route-of.ts'
import { watchRequests } from '../src/sandbox/request-log.ts'

/**
 * Counts what the tests of a file, and the product in them, ask the fronts of the sandbox, where a folder for such
 * counts is named: see scripts/front-requests.ts.
 */
const folder = process.env['HCLOUD_TALOS_FRONT_REQUESTS']
if (folder) {
  const [all, inTests] = [new Map<string, number>(), new Map<string, number>()]
  let running = 0
  watchRequests((request) => {
    const route = routeOf(request)
    for (const counts of running > 0 ? [all, inTests] : [all]) {
      counts.set(route, (counts.get(route) ?? 0) + 1)
    }
  })
  beforeEach(() => {
    running++
  })
  afterEach(() => {
    running--
  })
  afterAll(() => {
    if (all.size === 0) return
    const { testPath = '' } = expect.getState()
    const file = relative(resolve(import.meta.dirname, '..'), testPath)
    const counted = { file, all: Object.fromEntries(all), inTests: Object.fromEntries(inTests) }
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(counted))
  })
}
