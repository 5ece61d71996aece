import { createServer } from 'node:http'
import { createServerAdapter } from '@whatwg-node/server'
import { Router } from 'itty-router'
import * as answers from './work/answers.mjs'

const { allowed } = answers

const router = Router()
router
  .get('/v1/employees', ({ query }) => send(answers.list('/v1/employees', query.sort, query.limit)))
  .post('/v1/employees', async (request) =>
    send(answers.create('/v1/employees', await request.json())),
  )
  .get('/v1/employees/count', () => send(answers.count()))
  .get('/v1/employees/:id', ({ params }) => send(answers.read(params.id)))
  .get('/v1/companies/:company_id/employees/:id', ({ params }) =>
    send(answers.read(params.id, params.company_id)),
  )
  .all('/v1/employees', ({ method }) => send(answers.refuse(method, allowed.collection)))
  .all('/v1/employees/:id', ({ method }) => send(answers.refuse(method, allowed.item)))
  .all('/v1/companies/:company_id/employees/:id', ({ method }) =>
    send(answers.refuse(method, allowed.item)),
  )
  .all('*', ({ url }) => send(answers.nowhere(url.slice(url.indexOf('/', 8)))))

function send({ status, type, name, value, body }) {
  const headers = { 'content-type': type }
  if (name !== undefined) headers[name] = value
  return new Response(JSON.stringify(body), { status, headers })
}

/** Over Node with the adapter that its documentation names. */
export function server() {
  return createServer(createServerAdapter(router.fetch))
}

export function fetchHandler() {
  return router.fetch
}
