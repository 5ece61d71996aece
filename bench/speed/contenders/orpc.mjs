import { createServer } from 'node:http'
import { OpenAPIHandler as FetchHandler } from '@orpc/openapi/fetch'
import { OpenAPIHandler as NodeHandler } from '@orpc/openapi/node'
import { os } from '@orpc/server'
import * as answers from './work/answers.mjs'

/** Its errors are `application/json` whatever they hold, and a method that it does not know is a path that it does not know. */
export const lacks = ['absent', '405']

const detailed = { outputStructure: 'detailed' }
const router = {
  list: os
    .route({ ...detailed, method: 'GET', path: '/v1/employees' })
    .handler(({ input }) => outputOf(answers.list('/v1/employees', input?.sort, input?.limit))),
  create: os
    .route({ ...detailed, method: 'POST', path: '/v1/employees' })
    .handler(({ input }) => outputOf(answers.create('/v1/employees', input))),
  count: os
    .route({ ...detailed, method: 'GET', path: '/v1/employees/count' })
    .handler(() => outputOf(answers.count())),
  read: os
    .route({ ...detailed, method: 'GET', path: '/v1/employees/{id}' })
    .handler(({ input }) => outputOf(answers.read(input.id))),
  readNested: os
    .route({
      ...detailed,
      method: 'GET',
      path: '/v1/companies/{company_id}/employees/{id}',
    })
    .handler(({ input }) => outputOf(answers.read(input.id, input.company_id))),
}

function outputOf({ status, name, value, body }) {
  return name === undefined ? { status, body } : { status, body, headers: { [name]: value } }
}

export function server() {
  const handler = new NodeHandler(router)
  return createServer(async (request, response) => {
    const { matched } = await handler.handle(request, response)
    if (matched) return
    const { status, type, body } = answers.nowhere(request.url)
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
  })
}

export function fetchHandler() {
  const handler = new FetchHandler(router)
  return async (request) => {
    const { matched, response } = await handler.handle(request)
    if (matched) return response
    const { status, type, body } = answers.nowhere(new URL(request.url).pathname)
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': type } })
  }
}
