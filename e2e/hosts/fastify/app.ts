import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { defineRegistry, type HostRequest } from 'nounful'
import { toNodeListener } from 'nounful/node'
import { adapters, api, type User, userOf, writersOnly } from './notes.js'

declare module 'fastify' {
  interface FastifyRequest {
    user: User | undefined
  }
}

type Asked = IncomingMessage & { user?: User | undefined; body?: unknown }

const registry = defineRegistry(api)
  .context(({ source }: HostRequest<Asked>) => source.user)
  .use(writersOnly)
  .adapters(adapters)

// Fastify leaves the prefix in, so the option names it. Fastify's own request goes with it.
function mounted(base: string): (request: FastifyRequest, reply: FastifyReply) => void {
  const notes = toNodeListener(registry, { base })
  return ({ raw, user, body }, reply) => {
    notes(Object.assign(raw, { user, body }), reply.raw, () => reply.callNotFound())
  }
}

const app = Fastify()
app.decorateRequest('user', undefined)
app.addHook('onRequest', async (request) => {
  request.user = userOf(request.headers.authorization)
})
app.register(async (scope: FastifyInstance) => {
  // Bodies stay unread: a broken one is then answered with a problem.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/api/*', mounted('/api'))
})
// Bodies come parsed, and are taken as they are.
app.all('/parsed/*', mounted('/parsed'))

console.log(
  'Listening',
  await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' }),
)
