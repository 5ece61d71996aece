// JavaScript, because tsup's own types do not pass a strict check.
export default {
  entry: ['src/*.ts'],
  format: 'esm',
  target: ['es2022', 'node20'],
  // One ProblemError for every door: `instanceof` must hold across them.
  splitting: true,
  // Runtimes other than Node know `node:http`, not `http`.
  removeNodeProtocol: false,
  dts: true,
  sourcemap: true,
  clean: true,
}
