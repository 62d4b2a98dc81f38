import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { etcdQuota } from '../../src/planner/etcd-quota.ts'
import { nodeConfigPath } from '../../src/store/files/layout.ts'

const quota = (bytes: string): JsonObject => ({
  cluster: { etcd: { extraArgs: { 'quota-backend-bytes': bytes } } },
})

/** The quota of control planes that were last given these configs. */
function quotaOf(...configs: readonly JsonObject[]): bigint {
  const all = configs.map((config, index) => ({ name: `demo-control-plane-${index + 1}`, config }))
  const nodes = all.map(({ name }, index) => ({
    name,
    role: 'control-plane' as const,
    pool: 'control-plane',
    slot: index + 1,
    privateIp: `10.0.64.${index + 1}`,
  }))
  return etcdQuota({
    inventory: {
      clusterName: 'demo',
      uid: '0123456789abcdef',
      nodes,
      addons: {},
      bootstrapped: true,
    },
    files: new Map(
      all.map(({ name, config }) => [nodeConfigPath(name), Buffer.from(JSON.stringify(config))]),
    ),
  })
}

test('the least quota counts, and a config that names none has the one of etcd', () => {
  expect(quotaOf()).toBe(2_147_483_648n)
  expect(quotaOf(quota('8589934592'), quota('4294967296'))).toBe(4_294_967_296n)
  expect(quotaOf(quota('8589934592'), { cluster: {} })).toBe(2_147_483_648n)
  expect(quotaOf({}, quota('1073741824'))).toBe(1_073_741_824n)
})
