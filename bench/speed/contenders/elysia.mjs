import { Elysia } from 'elysia'
import * as answers from './work/answers.mjs'

const { allowed } = answers

function app() {
  return new Elysia()
    .get('/v1/employees', ({ query, set }) =>
      send(set, answers.list('/v1/employees', query.sort, query.limit)),
    )
    .post('/v1/employees', ({ body, set }) => send(set, answers.create('/v1/employees', body)))
    .put('/v1/employees', ({ body, set }) => send(set, answers.replaceAll(body)))
    .get('/v1/employees/count', ({ set }) => send(set, answers.count()))
    .get('/v1/employees/:id', ({ params, set }) => send(set, answers.read(params.id)))
    .get('/v1/companies/:company_id/employees/:id', ({ params, set }) =>
      send(set, answers.read(params.id, params.company_id)),
    )
    .all('/v1/employees', ({ request, set }) =>
      send(set, answers.refuse(request.method, allowed.collection)),
    )
    .all('/v1/employees/:id', ({ request, set }) =>
      send(set, answers.refuse(request.method, allowed.item)),
    )
    .all('/v1/companies/:company_id/employees/:id', ({ request, set }) =>
      send(set, answers.refuse(request.method, allowed.item)),
    )
    .all('/*', ({ path, set }) => send(set, answers.nowhere(path)))
}

function send(set, { status, type, name, value, body }) {
  const headers =
    name === undefined ? { 'content-type': type } : { 'content-type': type, [name]: value }
  if (status >= 400) return new Response(JSON.stringify(body), { status, headers })
  set.status = status
  if (name !== undefined) set.headers[name] = value
  return body
}

export function fetchHandler() {
  return app().fetch
}
