import { createServer } from 'node:http'
import express from 'express'
import * as answers from './work/answers.mjs'

const { allowed } = answers

/** Without entity tags and the header that names Express, which no other contender sends. */
export function server() {
  const app = express()
  app.disable('etag').disable('x-powered-by')
  app.get('/v1/employees', ({ query }, response) =>
    send(response, answers.list('/v1/employees', query.sort, query.limit)),
  )
  app.post('/v1/employees', express.json(), ({ body }, response) =>
    send(response, answers.create('/v1/employees', body)),
  )
  app.put('/v1/employees', express.json(), ({ body }, response) =>
    send(response, answers.replaceAll(body)),
  )
  app.get('/v1/employees/count', (_, response) => send(response, answers.count()))
  app.get('/v1/employees/:id', ({ params }, response) => send(response, answers.read(params.id)))
  app.get('/v1/companies/:company_id/employees/:id', ({ params }, response) =>
    send(response, answers.read(params.id, params.company_id)),
  )
  app.all('/v1/employees', refuseAll(allowed.collection))
  app.all('/v1/employees/:id', refuseAll(allowed.item))
  app.all('/v1/companies/:company_id/employees/:id', refuseAll(allowed.item))
  app.use(({ path }, response) => send(response, answers.nowhere(path)))
  return createServer(app)
}

function refuseAll(allow) {
  return ({ method }, response) => send(response, answers.refuse(method, allow))
}

function send(response, { status, type, name, value, body }) {
  if (name !== undefined) response.set(name, value)
  response.status(status).set('content-type', type).json(body)
}
