import { defineConfig } from 'vitest/config'

/** Tests against other people's software: slow to build, and so apart from `npm test`. */
export default defineConfig({
  test: {
    setupFiles: ['test/seed.ts'],
    include: ['test/peers/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 900_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
