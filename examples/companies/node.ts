import { serve } from 'nounful/node'
import { registry } from './registry.ts'

const port = Number(process.env.PORT ?? 3000)
const host = process.env.HOST ?? '127.0.0.1'
const server = await serve(registry, { port, host })

console.log(`Listening on ${server.url}. Try:

  curl '${server.url}/v1/employees?sort=-birthdate'
  curl '${server.url}/v1/companies/001/customers/?q=harbor'
  curl -X POST ${server.url}/v1/employees -H 'content-type: application/json' -d '{"name":"Gita Rao","birthdate":"1991-04-09"}'
`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void server.close()
  })
}
