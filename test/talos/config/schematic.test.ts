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

test('installers are by platform since Talos 1.10', () => {
  expect(installerImage('v1.9.5', 'abc')).toBe('factory.talos.dev/installer/abc:v1.9.5')
  expect(installerImage('v1.10.0', 'abc')).toBe('factory.talos.dev/hcloud-installer/abc:v1.10.0')
  expect(installerImage('v1.14.1', 'abc')).toBe('factory.talos.dev/hcloud-installer/abc:v1.14.1')
})

test('versions before 1.9 are refused', () => {
  expect(() => installerImage('v1.8.3', 'abc')).toThrow('Talos v1.8.3 is not supported')
})
