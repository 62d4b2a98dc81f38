import { defineConfig } from 'vitest/config'
import { wholeLives } from './test/e2e/vitest.config.ts'
import { hangLimitMs } from './test/hang-limit.ts'
import { orderSeed } from './test/order-seed.ts'

/**
 * Where each test stands by itself, whatever ran before it. What is not here takes one cluster, or one repository,
 * through its life, a step in each test: as in `test/{actions,cli,commands,public-failures}`.
 */
const anyOrder =
  'test/{addons,backup,docs,engine,github,hetzner,kubernetes,lib,plan,run,spec,ssh,store,talos}/**/*.test.ts'

const elsewhere = ['test/peers/**', 'test/real/**', ...wholeLives, 'node_modules/**']

export default defineConfig({
  test: {
    testTimeout: hangLimitMs,
    hookTimeout: hangLimitMs,
    setupFiles: ['test/seed.ts', 'test/judge.ts', 'test/front-requests.ts'],
    sequence: { seed: orderSeed },
    pool: 'forks',
    // More than cores: much of the time goes into waiting for processes.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          name: `any order, seed ${orderSeed}`,
          include: [anyOrder],
          exclude: elsewhere,
          sequence: { shuffle: { tests: true } },
          // Each stands by itself, so that files share the modules that were loaded for others.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'in order',
          include: ['test/**/*.test.ts'],
          exclude: [anyOrder, ...elsewhere],
        },
      },
    ],
  },
})
