import { defineConfig } from 'vitest/config'

/** Any test, whole lives too, for scripts/mutate.ts: it names the files, and the first failure is enough. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/peers/**', 'test/real/**', 'node_modules/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/seed.ts', 'test/judge.ts'],
    pool: 'forks',
    maxWorkers: 1,
    bail: 1,
  },
})
