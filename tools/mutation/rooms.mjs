/**
 * The rooms to mutate, the quick tests that judge them, and the least score. No test needs a server
 * or another process, so each can run again and again. Default: `ROOM=core`.
 */
export const rooms = {
  // The tests of observe build on each other, and way counts calls, of which Stryker adds some.
  // Those of test/adversity share hosts that a mutant may hang.
  core: {
    mutate: ['convention', 'contract', 'wire', 'server'],
    testFiles: [
      'test/convention/*.test.ts',
      'test/contract/*.test.ts',
      'test/wire/*.test.ts',
      'test/server/!(observe|way).test.ts',
      'test/views/!(generated|laws|client-types|types).test.ts',
      'test/convention.test.ts',
      'test/fetch.test.ts',
      'test/properties.test.ts',
    ],
    floor: 90,
  },
  views: {
    mutate: ['views'],
    testFiles: [
      'test/views/!(generated|laws|client-types|types).test.ts',
      'test/contract/{owned,restricted,states}.test.ts',
      'test/server/{count-by,delete-many,held-values,item-rules}.test.ts',
      'test/server/{related,related-order,stored-form}.test.ts',
    ],
    floor: 85,
  },
  memory: {
    mutate: ['memory'],
    testFiles: [
      'test/memory/!(bulk-orders).test.ts',
      'test/server/{as-found,count-by,item-rules,keep,references,related,related-order}.test.ts',
      'test/server/{fault-order,replay,states,stored-rows}.test.ts',
      'test/conformance.test.ts',
      'test/convention.test.ts',
    ],
    floor: 85,
  },
  // With SQLite alone. The left out files start processes, or wait for time to pass.
  kysely: {
    mutate: ['kysely'],
    testFiles: [
      'test/kysely/!(clock|faults|locks|neighbours|remote|slices|waits|hooks|drivers).test.ts',
      'test/kysely/conformance/sqlite.test.ts',
    ],
    floor: 85,
  },
}
