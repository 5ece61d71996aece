import { defineConfig } from 'vitest/config'

// The flags that `flags.ts` sets.
const { SOAK_FLAGS = '' } = process.env

export default defineConfig({
  ssr: { resolve: { conditions: ['nounful:source', 'node'] } },
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    include: [
      'test/{convention,contract,wire,server,memory,adversity/fuzz,adversity/faults}/**/*.test.ts',
      'test/*.test.ts',
    ],
    // Tests of files and types have the same result under all flags.
    exclude: ['test/house.test.ts', 'test/types.test.ts'],
    pool: 'forks',
    execArgv: SOAK_FLAGS.split(' ').filter((flag) => flag !== ''),
    testTimeout: 60_000,
  },
})
