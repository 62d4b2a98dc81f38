import { expect, test } from 'vitest'
import { inModeNamed } from '../../src/commands/modes/cluster-modes.ts'

const nameOf = (name?: string) => inModeNamed(name, async ({ machines }) => machines.name)

test('what a run of before modes had names noted is of the first, and an unknown name of none', async () => {
  expect([await nameOf(), await nameOf('hetzner-talos')]).toEqual(['Hetzner', 'Hetzner'])
  await expect(nameOf('unheard-of')).rejects.toThrow('unheard-of is no mode')
})
