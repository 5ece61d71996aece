import { serve } from 'nounful/node'
import { docsLayers } from './docs.ts'
import { documentLayers } from './documents.ts'
import { openService } from './stored.ts'

const { DATABASE_URL, DATABASE_FILE = 'companies.sqlite', HOST = '127.0.0.1' } = process.env
// `api.example.com,www.example.com`, or `*` for all: host names besides localhost.
const hosts = (process.env.HOSTS ?? '').split(',').filter((name) => name !== '')
const port = Number(process.env.PORT ?? 3000)

const service = await openService(DATABASE_URL ?? DATABASE_FILE)
const docs = docsLayers()
// The innermost layer sees the requests that no other layer answers.
const layers = [...docs, ...documentLayers(service.registry)]
const server = await serve(service.registry, {
  port,
  host: HOST,
  hosts,
  layers,
  // The service finishes its open responses, and closes the database after them.
  stopOn: ['SIGTERM', 'SIGINT'],
  onStop: () => service.close(),
})
const place = DATABASE_URL === undefined ? DATABASE_FILE : new URL(DATABASE_URL).protocol

const docsNote = docs.length > 0 ? `, ${server.url}/docs the operations` : ''
console.log(`Listening on ${server.url}, data in ${place}. Try:

  curl '${server.url}/v1/employees?sort=-birthdate'
  curl '${server.url}/v1/companies/001/customers/?q=harbor'
  curl '${server.url}/v1/employees?company_id=001&birthdate:lt=1990-01-01'
  curl '${server.url}/v1/employees?include=company&fields=name&limit=3'
  curl -X POST ${server.url}/v1/employees \\
    -H 'content-type: application/json' -d '{"name":"Gita Rao","birthdate":"1991-04-09"}'
  curl -X PATCH ${server.url}/v1/employees/001 \\
    -H 'content-type: application/json' -d '{"email":null,"company_id":"002"}'
  curl '${server.url}/v2/employees?status=active&sort=full_name'

In a browser: ${server.url} lists the resources${docsNote}.
`)
