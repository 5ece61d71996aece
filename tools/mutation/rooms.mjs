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
  // The comparer of versions, with the schemas and sets that it asks. The left out files measure
  // time, or judge one whole folder by generated contracts.
  diff: {
    mutate: ['diff', 'schemas', 'sets'],
    testFiles: [
      'test/diff/!(growth|services).test.ts',
      'test/diff/openapi/*.test.ts',
      'test/schemas/!(large-schemas).test.ts',
      'test/sets/*.test.ts',
    ],
    floor: 85,
  },
  // Each planted fault of a server, an adapter and a scope is a whole trial: the slowest room.
  trial: {
    mutate: ['trial'],
    testFiles: [
      'test/trial/check/{check,ids,limits,output,print,safe,secrets,shapes}.test.ts',
      'test/trial/check/violations/*.test.ts',
      'test/trial/isolation/!(contracts|mutants).test.ts',
      'test/conformance.test.ts',
    ],
    floor: 85,
  },
}
