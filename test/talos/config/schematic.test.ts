import { expect, test } from 'vitest'
import {
  installerImage,
  schematicId,
  schematicOf,
  schematicYaml,
} from '../../../src/talos/config/schematic.ts'
import { clusterSpec } from '../../plan/specs.ts'

test('the ids are those that the factory gives', () => {
  expect(schematicId({ extensions: [], kernelArgs: [] })).toBe(
    '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba',
  )
  expect(schematicId({ extensions: ['siderolabs/qemu-guest-agent'], kernelArgs: [] })).toBe(
    'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515',
  )
})

test('the text has the order and the indentation that the id is taken of', () => {
  expect(schematicYaml({ extensions: ['b/c', 'a/b'], kernelArgs: ['-quiet', 'x=1'] })).toBe(
    [
      'customization:',
      '    extraKernelArgs:',
      '        - -quiet',
      '        - x=1',
      '    systemExtensions:',
      '        officialExtensions:',
      '            - b/c',
      '            - a/b',
      '',
    ].join('\n'),
  )
})

test('a schematic that is given wins over extensions', () => {
  const { talos } = clusterSpec()
  expect(schematicOf(clusterSpec({ talos: { ...talos, schematic: 'f'.repeat(64) } }))).toBe(
    'f'.repeat(64),
  )
})

function installerOf(version: string, factory = 'https://factory.talos.dev'): string {
  const { talos } = clusterSpec()
  return installerImage(
    clusterSpec({ talos: { ...talos, version, factory, schematic: 'f'.repeat(64) } }),
  )
}

test('installers are by platform since Talos 1.10', () => {
  const id = 'f'.repeat(64)
  expect(installerOf('v1.9.5')).toBe(`factory.talos.dev/installer/${id}:v1.9.5`)
  expect(installerOf('v1.10.0')).toBe(`factory.talos.dev/hcloud-installer/${id}:v1.10.0`)
  expect(installerOf('v1.14.1')).toBe(`factory.talos.dev/hcloud-installer/${id}:v1.14.1`)
})

test('installers come from the factory that the file names', () => {
  const id = 'f'.repeat(64)
  expect(installerOf('v1.14.1', 'https://factory.example.com')).toBe(
    `factory.example.com/hcloud-installer/${id}:v1.14.1`,
  )
  expect(installerOf('v1.14.1', 'http://10.0.0.9:8080')).toBe(
    `10.0.0.9:8080/hcloud-installer/${id}:v1.14.1`,
  )
})

test('versions before 1.9 are refused', () => {
  expect(() => installerOf('v1.8.3')).toThrow('Talos v1.8.3 is not supported')
})
