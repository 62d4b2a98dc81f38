import { defineConfig } from 'vitest/config'
import { hangLimitMs } from '../hang-limit.ts'

/**
 * Whole lives of clusters, many of them: in child processes on the real clock, cut off at one step after
 * the other, under attack. They take their time, and so stand apart from `npm test`.
 */
export const wholeLives = [
  'test/e2e/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/actions/{approved-merge,merge-queue}.test.ts',
  'test/cli/{ends,ends-in-trouble,keys,life,talos,unanswered-doctor}.test.ts',
  'test/commands/{every-key,killed-process}.test.ts',
  'test/commands/cut-*.test.ts',
  'test/commands/documents-contract.test.ts',
  'test/commands/whole-upgrade.test.ts',
  'test/commands/attacked-state.test.ts',
  'test/commands/bundle-and-compact.test.ts',
  'test/commands/control-plane-faults.test.ts',
  'test/commands/{control-plane-scaling,node-config,outdated-run,revoke}.test.ts',
  'test/commands/{upgrade-kubernetes,upgrade-stops}.test.ts',
  'test/commands/hosts-{adoption,cut-upgrade,losses,neighbours,replaced,upkeep,virtual-ip}.test.ts',
  'test/commands/recovery-drill.test.ts',
  'test/public-failures/upgraded-versions.test.ts',
  'test/commands/{recover,replayed-run,restore,ways-back}.test.ts',
  'test/store/crowd.test.ts',
  'test/store/killed-publish.test.ts',
]

export default defineConfig({
  test: {
    include: wholeLives,
    testTimeout: hangLimitMs,
    hookTimeout: hangLimitMs,
    setupFiles: ['test/seed.ts', 'test/judge.ts', 'test/front-requests.ts'],
    pool: 'forks',
    maxWorkers: 4,
  },
})
