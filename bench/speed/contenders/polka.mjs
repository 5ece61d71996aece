import { createServer } from 'node:http'
import bodyParser from 'body-parser'
import polka from 'polka'
import * as answers from './work/answers.mjs'

const { allowed } = answers

export function server() {
  const onNoMatch = ({ path }, response) => send(response, answers.nowhere(path))
  const app = polka({ onNoMatch })
  app.get('/v1/employees', ({ query }, response) =>
    send(response, answers.list('/v1/employees', query.sort, query.limit)),
  )
  app.post('/v1/employees', bodyParser.json(), ({ body }, response) =>
    send(response, answers.create('/v1/employees', body)),
  )
  app.put('/v1/employees', bodyParser.json(), ({ body }, response) =>
    send(response, answers.replaceAll(body)),
  )
  app.get('/v1/employees/count', (_, response) => send(response, answers.count()))
  app.get('/v1/employees/:id', ({ params }, response) => send(response, answers.read(params.id)))
  app.get('/v1/companies/:company_id/employees/:id', ({ params }, response) =>
    send(response, answers.read(params.id, params.company_id)),
  )
  app.all('/v1/employees', refuseAll(allowed.collection))
  app.all('/v1/employees/:id', refuseAll(allowed.item))
  app.all('/v1/companies/:company_id/employees/:id', refuseAll(allowed.item))
  return createServer(app.handler)
}

function refuseAll(allow) {
  return ({ method }, response) => send(response, answers.refuse(method, allow))
}

function send(response, { status, type, name, value, body }) {
  const text = JSON.stringify(body)
  const headers = { 'content-type': type, 'content-length': Buffer.byteLength(text) }
  if (name !== undefined) headers[name] = value
  response.writeHead(status, headers).end(text)
}
