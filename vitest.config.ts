import { defineConfig } from 'vitest/config'
import { wholeLives } from './test/e2e/vitest.config.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/peers/**', 'test/real/**', ...wholeLives, 'node_modules/**'],
    // A whole upgrade of five nodes takes its time on a machine that has other work.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    setupFiles: ['test/seed.ts', 'test/judge.ts'],
    pool: 'forks',
    // More than cores: much of the time goes into waiting for processes.
    maxWorkers: 4,
  },
})
