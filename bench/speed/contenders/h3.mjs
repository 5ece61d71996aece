import { createServer } from 'node:http'
import { getQuery, H3, readBody, toNodeHandler } from 'h3'
import * as answers from './work/answers.mjs'

const { allowed } = answers

const app = new H3()
app.get('/v1/employees', (event) => {
  const { sort, limit } = getQuery(event)
  return send(event, answers.list('/v1/employees', sort, limit))
})
app.post('/v1/employees', async (event) =>
  send(event, answers.create('/v1/employees', await readBody(event))),
)
app.put('/v1/employees', async (event) => send(event, answers.replaceAll(await readBody(event))))
app.get('/v1/employees/count', (event) => send(event, answers.count()))
app.get('/v1/employees/:id', (event) => send(event, answers.read(event.context.params.id)))
app.get('/v1/companies/:company_id/employees/:id', (event) => {
  const { id, company_id } = event.context.params
  return send(event, answers.read(id, company_id))
})
app.all('/v1/employees', (event) => refuse(event, allowed.collection))
app.all('/v1/employees/:id', (event) => refuse(event, allowed.item))
app.all('/v1/companies/:company_id/employees/:id', (event) => refuse(event, allowed.item))
app.all('/**', (event) => send(event, answers.nowhere(event.url.pathname)))

function refuse(event, allow) {
  return send(event, answers.refuse(event.req.method, allow))
}

function send({ res }, { status, type, name, value, body }) {
  res.status = status
  res.headers.set('content-type', type)
  if (name !== undefined) res.headers.set(name, value)
  return JSON.stringify(body)
}

export function server() {
  return createServer(toNodeHandler(app))
}

export function fetchHandler() {
  return app.fetch
}
