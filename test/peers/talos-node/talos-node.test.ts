import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addressOf, TalosBed } from '../../sandbox/talos/talos-bed.ts'
import { buildGo } from '../build-go.ts'

const run = promisify(execFile)
const bed = new TalosBed()
let binary = ''

beforeAll(async () => {
  binary = await buildGo(import.meta.dirname)
})

afterAll(() => bed.close())

test("Talos's own client leads a simulated node from maintenance to its reset", async () => {
  const machine = await bed.boot('demo-control-plane-1', { version: 'v1.13.0' })
  const image = `factory.talos.dev/hcloud-installer/${'e'.repeat(64)}:v1.13.1`
  const { stdout } = await run(binary, ['-address', addressOf(machine), '-image', image])
  const steps = new Map<string, unknown>(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ step, value }) => [step, value]),
  )
  expect(steps.get('maintenance')).toBe('v1.13.0')
  expect(steps.get('apply')).toBe('Applied configuration without a reboot')
  expect(steps.get('version')).toBe('v1.13.0')
  expect(steps.get('bootstrap-again')).toBe('AlreadyExists')
  expect(steps.get('running')).toBe('RUNNING')
  expect(steps.get('services')).toMatchObject({ etcd: 'Running', kubelet: 'Running' })
  expect(steps.get('members')).toEqual(['demo-control-plane-1'])
  expect(parse(String(steps.get('kubeconfig'))).contexts[0].name).toBe('admin@demo')
  expect(steps.get('machine-config')).toBe(true)
  expect(steps.get('health')).toContain('waiting for all nodes to finish boot sequence: OK')
  expect(steps.get('snapshot')).toBe(true)
  expect(steps.get('upgrade')).toBe(0)
  expect(steps.get('reboot')).toBe(true)
  expect(steps.get('upgraded')).toBe('v1.13.1')
  expect(steps.get('reset')).toBe('v1.13.1')
  expect(bed.world.contractErrors).toEqual([])
})
