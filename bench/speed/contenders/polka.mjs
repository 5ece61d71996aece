import { createServer } from 'node:http'
import bodyParser from 'body-parser'
import polka from 'polka'
import { addRoutes } from './work/routes.mjs'

export function server() {
  let onNoMatch
  const app = polka({ onNoMatch: (request, response) => onNoMatch(request, response) })
  const withBody = { POST: [bodyParser.json()], PUT: [bodyParser.json()], GET: [] }
  addRoutes({
    on: (method, path, handler) => app.add(method, path, ...withBody[method], handler),
    all: (path, _, handler) => app.all(path, handler),
    otherwise: (handler) => {
      onNoMatch = handler
    },
    send,
  })
  return createServer(app.handler)
}

function send(_, response, { status, type, name, value, body }) {
  const text = JSON.stringify(body)
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(text) }
  if (name !== undefined) headers[name] = value
  response.writeHead(status, headers).end(text)
}
