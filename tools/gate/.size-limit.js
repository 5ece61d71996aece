// Quiet: esbuild warns of side-effect-free imports in bundles that esbuild itself split.
const asModule = (config) => ({ ...config, platform: 'node', format: 'esm', logLevel: 'error' })

export default [
  { name: 'server: main, node and fetch doors', path: 'size/server.js', limit: '42.3 kB' },
  {
    name: 'server, inflection left out',
    path: 'size/server.js',
    ignore: ['inflection'],
    limit: '38.7 kB',
  },
  {
    name: 'kysely door, kysely left out',
    path: '../../dist/kysely.js',
    ignore: ['kysely'],
    limit: '31.9 kB',
  },
  {
    name: 'client',
    path: '../../dist/client.js',
    import: '{ createClient }',
    limit: '4.4 kB',
  },
  { name: 'memory door', path: '../../dist/memory.js', limit: '9.6 kB' },
  { name: 'conformance door', path: '../../dist/conformance.js', limit: '23 kB' },
].map((row) => ({ ...row, gzip: true, modifyEsbuildConfig: asModule }))
