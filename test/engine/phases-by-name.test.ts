import { expect, it } from 'vitest'
import { phasesByName } from '../../src/engine/phases-by-name.ts'
import type { PlanPhase } from '../../src/engine/run-plan.ts'

const phase = (title: string): PlanPhase => ({ title, kinds: [], run: { each: async () => {} } })

it('phases come in the order that was written down, whatever their names look like', () => {
  const phases = { '10': phase('last'), '9': phase('middle'), first: phase('first') }
  expect(phasesByName(['first', '9', '10'], phases).map(({ title }) => title)).toEqual([
    'first',
    'middle',
    'last',
  ])
})

it('a phase that was given no place is an error, and not one that never runs', () => {
  const phases = { servers: phase('Servers'), nodes: phase('Nodes') }
  expect(() => phasesByName(['servers'], phases)).toThrow('phases without a place: Nodes')
})
