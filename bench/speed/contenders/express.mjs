import { createServer } from 'node:http'
import express from 'express'
import { addRoutes } from './work/routes.mjs'

/** Without entity tags and the header that names Express, which no other contender sends. */
export function server() {
  const app = express().disable('etag').disable('x-powered-by')
  const withBody = { POST: [express.json()], PUT: [express.json()], GET: [] }
  addRoutes({
    on: (method, path, handler) => app[method.toLowerCase()](path, ...withBody[method], handler),
    all: (path, _, handler) => app.all(path, handler),
    otherwise: (handler) => app.use(handler),
    send,
  })
  return createServer(app)
}

function send(_, response, { status, type, name, value, body }) {
  if (name !== undefined) response.set(name, value)
  response.status(status).set('content-type', type).json(body)
}
