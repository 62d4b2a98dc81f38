import { expect, it } from 'vitest'
import { chooseByKeys } from '../../src/spec/yaml/choose-by-keys.ts'

const cloud = { keys: ['hetzner', 'talos'] }
const hosts = { keys: ['hosts', 'kubeadm'] }
const chosen = (text: string) => chooseByKeys(text, [cloud, hosts])

it('a file is of the mode whose keys are at its top, in YAML and in JSON', () => {
  expect(chosen('clusterName: demo\nhosts: []\n')).toBe(hosts)
  expect(chosen('\ufeffkubeadm: {}\n')).toBe(hosts)
  expect(chosen('{"clusterName": "demo", "talos": {}}')).toBe(cloud)
  expect(chosen('clusterName: demo\naddons:\n  hosts: {}\nhetzner: {}\n')).toBe(cloud)
})

it('a file with the keys of none, or that cannot be read, is of the first', () => {
  for (const text of ['', 'clusterName: demo\n', '- hosts\n', 'hosts: [\n', 'hosts', '\0']) {
    expect(chosen(text)).toBe(cloud)
  }
})
