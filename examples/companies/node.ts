import { serve } from 'nounful/node'
import { docsLayers } from './docs.ts'
import { documentLayers } from './documents.ts'
import { openService } from './stored.ts'

const { DATABASE_URL, DATABASE_FILE = 'companies.sqlite', HOST = '127.0.0.1' } = process.env
// `api.example.com,www.example.com`, or `*` for all: names that requests may be sent to besides localhost.
const hosts = (process.env.HOSTS ?? '').split(',').filter((name) => name !== '')
const port = Number(process.env.PORT ?? 3000)

const service = await openService(DATABASE_URL ?? DATABASE_FILE)
const docs = docsLayers()
// What is innermost sees what nobody else has answered.
const layers = [...docs, ...documentLayers(service.registry)]
const server = await serve(service.registry, { port, host: HOST, hosts, layers })
const place = DATABASE_URL === undefined ? DATABASE_FILE : new URL(DATABASE_URL).protocol

console.log(`Listening on ${server.url}, data in ${place}. Try:

  curl '${server.url}/v1/employees?sort=-birthdate'
  curl '${server.url}/v1/companies/001/customers/?q=harbor'
  curl -X POST ${server.url}/v1/employees -H 'content-type: application/json' -d '{"name":"Gita Rao","birthdate":"1991-04-09"}'

In a browser: ${server.url} shows what there is${docs.length > 0 ? `, ${server.url}/docs what can be asked` : ''}.
`)

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    // Whoever asks twice has to wait too: 10 seconds at the most.
    if (isEnding) return
    isEnding = true
    await server.close()
    await service.close()
    // By itself Node listens to no signal any more while it ends, and one would end it with another code.
    process.exit()
  })
}
