// Quiet: esbuild warns of side-effect-free imports in bundles that esbuild itself split.
const asModule = (config) => ({ ...config, platform: 'node', format: 'esm', logLevel: 'error' })

export default [
  { name: 'server: main, node and fetch doors', path: 'size/server.js', limit: '106 kB' },
  { name: 'server without views', path: 'size/without-views.js', limit: '89.95 kB' },
  {
    name: 'kysely door, kysely left out',
    path: '../../dist/kysely.js',
    ignore: ['kysely'],
    limit: '79.9 kB',
  },
  {
    name: 'client',
    path: '../../dist/client.js',
    import: '{ createClient }',
    limit: '6.8 kB',
  },
  { name: 'query door', path: '../../dist/query.js', limit: '400 B' },
  { name: 'react-admin door', path: '../../dist/react-admin.js', limit: '8 kB' },
  { name: 'refine door', path: '../../dist/refine.js', limit: '8.6 kB' },
  { name: 'layers', path: '../../dist/layers.js', limit: '12.2 kB' },
  { name: 'memory door', path: '../../dist/memory.js', limit: '17.6 kB' },
  // With `handle`: the proof of isolation asks a registry.
  { name: 'conformance door', path: '../../dist/conformance.js', limit: '118.05 kB' },
].map((row) => ({ ...row, gzip: true, modifyEsbuildConfig: asModule }))
