import { defineConfig } from 'vitest/config'
import { wholeLives } from './test/e2e/vitest.config.ts'
import { hangLimitMs } from './test/hang-limit.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/peers/**', 'test/real/**', ...wholeLives, 'node_modules/**'],
    testTimeout: hangLimitMs,
    hookTimeout: hangLimitMs,
    setupFiles: ['test/seed.ts', 'test/judge.ts'],
    pool: 'forks',
    // More than cores: much of the time goes into waiting for processes.
    maxWorkers: 4,
  },
})
