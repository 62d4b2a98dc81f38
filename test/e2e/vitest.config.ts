import { defineConfig } from 'vitest/config'

/** Whole lives of clusters in child processes, on the real clock: mostly waiting, and so apart from `npm test`. */
export const wholeLives = [
  'test/e2e/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/cli/life.test.ts',
  'test/commands/killed-process.test.ts',
]

export default defineConfig({
  test: {
    include: wholeLives,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    maxWorkers: 4,
  },
})
