import { createServer } from 'node:http'
import { feathers } from '@feathersjs/feathers'
import { bodyParser, koa, rest } from '@feathersjs/koa'
import * as answers from './work/answers.mjs'

const { allowed } = answers

/** Over koa. What a service gives is unpacked in a hook, what has gone wrong by a middleware. */
export async function server() {
  const app = koa(feathers())
  app.use(refuseRest)
  app.use(bodyParser())
  app.configure(rest())
  app.use('v1/employees', {
    find: async ({ query }) => answers.list('/v1/employees', query.sort, query.limit),
    get: async (id) => answers.read(id),
    create: async (item) => answers.create('/v1/employees', item),
  })
  app.use('v1/employees/count', { find: async () => answers.count() })
  app.use('v1/companies/:company_id/employees', {
    get: async (id, { route }) => answers.read(id, route.company_id),
  })
  app.hooks({ after: { all: [unpack] } })
  app.use((context) => send(context, answers.nowhere(context.path)))
  await app.setup()
  return createServer(app.callback())
}

function unpack(context) {
  const { status, type, name, value, body } = context.result
  context.result = body
  context.http.status = status
  context.http.headers =
    name === undefined ? { 'content-type': type } : { 'content-type': type, [name]: value }
}

async function refuseRest(context, next) {
  try {
    await next()
  } catch (error) {
    if (error.code !== 405) throw error
    send(context, answers.refuse(context.method, allowed.item))
  }
}

function send(context, { status, type, name, value, body }) {
  context.status = status
  context.body = body
  context.type = type
  if (name !== undefined) context.set(name, value)
}
