import { createServer } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import * as answers from './work/answers.mjs'

const { allowed } = answers

export function server() {
  const router = new Router({ prefix: '/v1' })
  router.get('/employees', (context) =>
    send(context, answers.list('/v1/employees', context.query.sort, context.query.limit)),
  )
  router.post('/employees', bodyParser(), (context) =>
    send(context, answers.create('/v1/employees', context.request.body)),
  )
  router.put('/employees', bodyParser(), (context) =>
    send(context, answers.replaceAll(context.request.body)),
  )
  router.get('/employees/count', (context) => send(context, answers.count()))
  router.get('/employees/:id', (context) => send(context, answers.read(context.params.id)))
  router.get('/companies/:company_id/employees/:id', (context) =>
    send(context, answers.read(context.params.id, context.params.company_id)),
  )
  router.all('/employees', refuseAll(allowed.collection))
  router.all('/employees/:id', refuseAll(allowed.item))
  router.all('/companies/:company_id/employees/:id', refuseAll(allowed.item))
  const app = new Koa()
  app.use(router.routes())
  app.use((context) => send(context, answers.nowhere(context.path)))
  return createServer(app.callback())
}

function refuseAll(allow) {
  return (context) => send(context, answers.refuse(context.method, allow))
}

function send(context, { status, type, name, value, body }) {
  context.status = status
  context.body = body
  context.type = type
  if (name !== undefined) context.set(name, value)
}
