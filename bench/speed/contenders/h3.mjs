import { createServer } from 'node:http'
import { getQuery, H3, readBody, toNodeHandler } from 'h3'
import { addRoutes } from './work/routes.mjs'

const app = new H3()
addRoutes({
  on: (method, path, handler) => app.on(method, path, handler),
  all: (path, _, handler) => app.all(path, handler),
  otherwise: (handler) => app.all('/**', handler),
  query: getQuery,
  param: ({ context }, name) => context.params[name],
  body: readBody,
  method: ({ req }) => req.method,
  path: ({ url }) => url.pathname,
  send,
})

function send({ res }, _, { status, type, name, value, body }) {
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
