import Fastify from 'fastify'
import * as answers from './work/answers.mjs'

const { allowed } = answers

/** Without schemas of responses: `JSON.stringify` has become the faster writer. */
export async function server() {
  const app = Fastify()
  app.get('/v1/employees', ({ query }, reply) =>
    send(reply, answers.list('/v1/employees', query.sort, query.limit)),
  )
  app.post('/v1/employees', ({ body }, reply) => send(reply, answers.create('/v1/employees', body)))
  app.put('/v1/employees', ({ body }, reply) => send(reply, answers.replaceAll(body)))
  app.get('/v1/employees/count', (_, reply) => send(reply, answers.count()))
  app.get('/v1/employees/:id', ({ params }, reply) => send(reply, answers.read(params.id)))
  app.get('/v1/companies/:company_id/employees/:id', ({ params }, reply) =>
    send(reply, answers.read(params.id, params.company_id)),
  )
  refuseOthers(app, '/v1/employees', allowed.collection)
  for (const url of ['/v1/employees/:id', '/v1/companies/:company_id/employees/:id']) {
    refuseOthers(app, url, allowed.item)
  }
  app.setNotFoundHandler(({ url }, reply) => send(reply, answers.nowhere(url)))
  await app.ready()
  return app.server
}

function refuseOthers(app, url, allow) {
  const method = ['POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !allow.includes(name))
  app.route({
    method,
    url,
    handler: ({ method }, reply) => send(reply, answers.refuse(method, allow)),
  })
}

function send(reply, { status, type, name, value, body }) {
  if (name !== undefined) reply.header(name, value)
  reply.code(status).header('content-type', type).send(JSON.stringify(body))
}
