import { Miniflare } from 'miniflare'

// node e2e/runtimes/workerd.ts <a Worker in one file> [flag…]: runs workerd, prints its address.
const [, , scriptPath = '', ...compatibilityFlags] = process.argv

const worker = new Miniflare({
  modules: true,
  scriptPath,
  compatibilityDate: '2026-07-30',
  compatibilityFlags,
  d1Databases: ['DB'],
  // Straight to the Worker: Miniflare's own Worker in front would make requests of its own.
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
})
const url = await worker.unsafeGetDirectURL()
console.log(url.href)
process.once('SIGTERM', () => worker.dispose())
