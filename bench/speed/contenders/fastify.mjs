import Fastify from 'fastify'
import { addRoutes } from './work/routes.mjs'

const methods = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Without schemas of responses: `JSON.stringify` has become the faster writer. */
export async function server() {
  const app = Fastify()
  addRoutes({
    on: (method, url, handler) => app.route({ method, url, handler }),
    all: (url, allow, handler) =>
      app.route({ method: methods.filter((name) => !allow.includes(name)), url, handler }),
    otherwise: (handler) => app.setNotFoundHandler(handler),
    path: ({ url }) => url,
    send,
  })
  await app.ready()
  return app.server
}

function send(_, reply, { status, type, name, value, body }) {
  if (name !== undefined) reply.header(name, value)
  reply.code(status).header('content-type', type).send(JSON.stringify(body))
}
