import type { IncomingMessage } from 'node:http'
import express from 'express'
import { defineRegistry, type HostRequest } from 'nounful'
import { toNodeListener } from 'nounful/node'
import { adapters, api, type User, userOf, writersOnly } from './notes.js'

const registry = defineRegistry(api)
  .context(({ source }: HostRequest<IncomingMessage & { user?: User }>) => source.user)
  .use(writersOnly)
  .adapters(adapters)
const notes = toNodeListener(registry)

const app = express()
// Passport and other middleware set it.
app.use((request, _response, next) => {
  Object.assign(request, { user: userOf(request.get('authorization')) })
  next()
})
// Before the parser: a broken body is then answered with a problem.
app.use('/api', notes)
// Behind it: the body comes parsed, and is taken as it is.
app.use('/parsed', express.json(), notes)

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log('Listening', server.address())
})
