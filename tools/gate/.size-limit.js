// Quiet: esbuild warns of side-effect-free imports in bundles that esbuild itself split.
const asModule = (config) => ({ ...config, platform: 'node', format: 'esm', logLevel: 'error' })

export default [
  { name: 'server: main, node and fetch doors', path: 'size/server.js', limit: '74.1 kB' },
  {
    name: 'server, inflection left out',
    path: 'size/server.js',
    ignore: ['inflection'],
    limit: '70.4 kB',
  },
  { name: 'server without views', path: 'size/without-views.js', limit: '63.7 kB' },
  {
    name: 'kysely door, kysely left out',
    path: '../../dist/kysely.js',
    ignore: ['kysely'],
    limit: '49.4 kB',
  },
  {
    name: 'client',
    path: '../../dist/client.js',
    import: '{ createClient }',
    limit: '6.3 kB',
  },
  { name: 'layers', path: '../../dist/layers.js', limit: '9.95 kB' },
  { name: 'memory door', path: '../../dist/memory.js', limit: '13.4 kB' },
  // With `handle`: the proof of isolation asks a registry.
  { name: 'conformance door', path: '../../dist/conformance.js', limit: '84 kB' },
].map((row) => ({ ...row, gzip: true, modifyEsbuildConfig: asModule }))
