import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cloneRawRequest } from 'hono/request'
import { defineRegistry, type HostRequest } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { adapters, api, type User, userOf, writersOnly } from './notes.js'

const registry = defineRegistry(api)
  .context(({ given: [user] }: HostRequest<Request, [user: User | undefined]>) => user)
  .use(writersOnly)
  .adapters(adapters)
const notes = toFetchHandler(registry, { base: '/api' })
const parsedNotes = toFetchHandler(registry, { base: '/parsed' })

const app = new Hono<{ Variables: { user: User | undefined } }>()
app.use(async (context, next) => {
  context.set('user', userOf(context.req.header('authorization')))
  await next()
})
app.all('/api/*', (context) => notes(context.req.raw, context.get('user')))
// Hono keeps a body that middleware has read: a copy of the request has it again.
app.use('/parsed/*', async (context, next) => {
  if (context.req.header('content-type') === 'application/json') await context.req.text()
  await next()
})
app.all('/parsed/*', async (context) =>
  parsedNotes(await cloneRawRequest(context.req), context.get('user')),
)

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, (at) =>
  console.log('Listening', at),
)
