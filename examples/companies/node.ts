import { serve } from 'nounful/node'
import { openService } from './stored.ts'

const { DATABASE_URL, DATABASE_FILE = 'companies.sqlite', HOST = '127.0.0.1' } = process.env
const port = Number(process.env.PORT ?? 3000)

const service = await openService(DATABASE_URL ?? DATABASE_FILE)
const server = await serve(service.registry, { port, host: HOST })
const place = DATABASE_URL === undefined ? DATABASE_FILE : new URL(DATABASE_URL).protocol

console.log(`Listening on ${server.url}, data in ${place}. Try:

  curl '${server.url}/v1/employees?sort=-birthdate'
  curl '${server.url}/v1/companies/001/customers/?q=harbor'
  curl -X POST ${server.url}/v1/employees -H 'content-type: application/json' -d '{"name":"Gita Rao","birthdate":"1991-04-09"}'
`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.close()
    await service.close()
  })
}
