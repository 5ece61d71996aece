import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import * as answers from './work/answers.mjs'

const { allowed } = answers

const app = new Hono()
app.get('/v1/employees', (context) => {
  const { sort, limit } = context.req.query()
  return send(context, answers.list('/v1/employees', sort, limit))
})
app.post('/v1/employees', async (context) =>
  send(context, answers.create('/v1/employees', await context.req.json())),
)
app.put('/v1/employees', async (context) =>
  send(context, answers.replaceAll(await context.req.json())),
)
app.get('/v1/employees/count', (context) => send(context, answers.count()))
app.get('/v1/employees/:id', (context) => send(context, answers.read(context.req.param('id'))))
app.get('/v1/companies/:company_id/employees/:id', (context) => {
  const { id, company_id } = context.req.param()
  return send(context, answers.read(id, company_id))
})
app.all('/v1/employees', (context) => refuse(context, allowed.collection))
app.all('/v1/employees/:id', (context) => refuse(context, allowed.item))
app.all('/v1/companies/:company_id/employees/:id', (context) => refuse(context, allowed.item))
app.notFound((context) => send(context, answers.nowhere(context.req.path)))

function refuse(context, allow) {
  return send(context, answers.refuse(context.req.method, allow))
}

function send(context, { status, type, name, value, body }) {
  const headers = { 'content-type': type }
  if (name !== undefined) headers[name] = value
  return context.body(JSON.stringify(body), status, headers)
}

export function server() {
  return createAdaptorServer(app)
}

export function fetchHandler() {
  return app.fetch
}
