import { createServer } from 'node:http'
import jsonServer from 'json-server'
import { companies, employees } from './work/store.mjs'

/** It has a convention and a store of its own: of what the others answer it answers a read alike. */
export const lacks = ['nested read', 'list', 'count', 'create', 'absent', '404', '405']

export function server() {
  const app = jsonServer.create()
  app.set('json spaces', 0).disable('etag')
  app.use(
    '/v1',
    jsonServer.router({ employees: [...employees.values()], companies: [...companies.values()] }),
  )
  return createServer(app)
}
