// Tries the explorer, pages of other origins and admins of the data providers in Chromium:
// node --conditions=nounful:source tools/browser/run.mjs [folder for screenshots]
// ONLY=axe runs the checks with that word in their name. WRITE=1 takes the pictures of states anew.
// CHROMIUM is the path of the browser, default /usr/bin/chromium.
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { registry } from '../../examples/companies/registry.ts'
import { callers, createSample, tokensOf } from '../../examples/tenants/sample.ts'
import { openTenants } from '../../examples/tenants/service.ts'
import { openLogin } from '../../examples/tenants/tokens.ts'
import { explorer } from '../../src/explorer.ts'
import { serve, toNodeListener } from '../../src/node.ts'
import { openApiAt } from '../../src/openapi.ts'
import { admins } from './admins.mjs'
import { browse } from './browse.mjs'
import { change } from './change.mjs'
import { endure } from './endure.mjs'
import { filters } from './filters.mjs'
import { gallery } from './gallery.mjs'
import { keyboard } from './keyboard.mjs'
import { guardedRegistry, oddRegistry } from './odd.mjs'
import { openBrowser } from './open.mjs'
import { origins } from './origins.mjs'
import { ruledRegistry } from './ruled.mjs'
import { shareApi } from './shared.mjs'
import { shopRegistry } from './shop.mjs'
import { states } from './states.mjs'
import { tasks } from './tasks.mjs'
import { workbench } from './workbench.mjs'

const folder = process.argv[2]
if (folder !== undefined) mkdirSync(folder, { recursive: true })
const odd = oddRegistry()
const guarded = guardedRegistry()
const ruledItems = ruledRegistry()
const shopItems = shopRegistry()
const login = await openLogin()
const tenantService = await openTenants(':memory:', login.keys)
await createSample(tenantService.registry, await tokensOf(login))
const exampleUsers = async () => ({
  ann: `Bearer ${await login.tokenOf(callers.ann)}`,
  gus: `Bearer ${await login.tokenOf(callers.gus)}`,
})
// Of pages that no other check changes.
const [galleryItems, oddItems] = [shopRegistry(), oddRegistry()]
const servers = [
  await serve(registry, { port: 0, layers: [explorer(registry, { title: 'Companies' })] }),
  await serve(odd, { port: 0, layers: [explorer(odd)] }),
  await serve(guarded, { port: 0, layers: [explorer(guarded)] }),
  await serve(shopItems, { port: 0, layers: [explorer(shopItems, { title: 'Shop' })] }),
  await serve(tenantService.registry, {
    port: 0,
    layers: [explorer(tenantService.registry, { title: 'Tenants', exampleUsers })],
  }),
  await serve(galleryItems, {
    port: 0,
    layers: [
      explorer(galleryItems, { title: 'Shop', description: 'Orders, and who packs them.' }),
      openApiAt('/openapi.json', galleryItems, { info: { title: 'Shop', version: '1.0.0' } }),
    ],
  }),
  await serve(oddItems, { port: 0, layers: [explorer(oddItems)] }),
  await serve(ruledItems, { port: 0, layers: [explorer(ruledItems)] }),
]
const urls = servers.map(({ url }) => url)
const [companies, things, notes, shop, tenants, galleryUrl, oddities, ruled] = urls
const below = await mountBelow('/api/inner')
const shared = await shareApi()
const chromium = await openBrowser()
const failures = []
let done = 0

/** The companies in a foreign server that cuts a prefix off, as Express does. */
async function mountBelow(prefix) {
  const listen = toNodeListener(registry, { layers: [explorer(registry)] })
  const server = createServer((request, response) => {
    const isBelow = request.url.startsWith(prefix)
    if (!isBelow) return response.writeHead(404).end()
    request.originalUrl = request.url
    request.url = request.url.slice(prefix.length) || '/'
    listen(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Runs one check on a page of its own, and fails for errors that it did not see. */
async function check(name, run, options = {}) {
  const begun = performance.now()
  const page = await chromium.openPage(options)
  try {
    await run(page, {
      companies,
      things,
      notes,
      shop,
      tenants,
      gallery: galleryUrl,
      oddities,
      ruled,
      below: below.url,
      origins: shared.urls,
      folder,
    })
    if (page.faults.length > 0) throw new Error(page.faults.join('\n'))
    done++
    console.log(`ok   ${name} (${Math.round(performance.now() - begun)} ms)`)
  } catch (error) {
    failures.push(name)
    console.log(`FAIL ${name}\n     ${String(error.message ?? error).replaceAll('\n', '\n     ')}`)
  } finally {
    await page.context().close()
  }
}

const only = process.env.ONLY
const suites = [
  ...[gallery, tasks, keyboard, states, browse, filters],
  ...[change, workbench, endure, origins, admins],
]
for (const checks of suites) {
  for (const [name, run, options] of checks)
    if (only === undefined || name.includes(only)) await check(name, run, options)
}
await chromium.close()
below.close()
await shared.close()
for (const server of servers) await server.close()
await tenantService.close()
console.log(`${done} checks are well, ${failures.length} are not`)
process.exitCode = failures.length === 0 ? 0 : 1
