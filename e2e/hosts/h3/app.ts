import { H3, serve } from 'h3'
import { defineRegistry, type HostRequest } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { adapters, api, type User, userOf, writersOnly } from './notes.js'

declare module 'h3' {
  interface H3EventContext {
    user?: User | undefined
  }
}

const registry = defineRegistry(api)
  .context(({ given: [user] }: HostRequest<Request, [user: User | undefined]>) => user)
  .use(writersOnly)
  .adapters(adapters)
const notes = toFetchHandler(registry, { base: '/api' })
const parsedNotes = toFetchHandler(registry, { base: '/parsed' })

const app = new H3()
app.use(({ req, context }) => {
  context.user = userOf(req.headers.get('authorization'))
})
app.all('/api/**', ({ req, context }) => notes(req, context.user))
// A body can be read once: middleware that needs it reads a copy.
app.use('/parsed/**', async ({ req }) => {
  await req.clone().text()
})
app.all('/parsed/**', ({ req, context }) => parsedNotes(req, context.user))

const server = serve(app, { port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' })
console.log('Listening', (await server.ready()).url)
