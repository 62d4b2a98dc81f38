import { defineConfig } from 'vitest/config'

/** Real Talos nodes: run by `npm run test:real`, which gives them namespaces of their own. */
export default defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    // A whole upgrade of a cluster takes minutes.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    // One world at a time: each has the namespaces for itself, and these machines few cores.
    fileParallelism: false,
    // What comes next in a life builds on what was before.
    sequence: { shuffle: false },
    bail: 1,
  },
})
