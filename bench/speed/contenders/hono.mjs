import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { addRoutes } from './work/routes.mjs'

const app = new Hono()
addRoutes({
  on: (method, path, handler) => app.on(method, path, handler),
  all: (path, _, handler) => app.all(path, handler),
  otherwise: (handler) => app.notFound(handler),
  query: ({ req }) => req.query(),
  param: ({ req }, name) => req.param(name),
  body: ({ req }) => req.json(),
  method: ({ req }) => req.method,
  path: ({ req }) => req.path,
  send,
})

function send(context, _, { status, type, name, value, body }) {
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
