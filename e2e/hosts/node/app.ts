import { defineRegistry } from 'nounful'
import { serve } from 'nounful/node'
import { adapters, api, userOf, writersOnly } from './notes.js'

const registry = defineRegistry(api)
  .context(({ headers }) => userOf(String(headers?.authorization)))
  .use(writersOnly)
  .adapters(adapters)

const { url } = await serve(registry, { port: Number(process.env.PORT ?? 3000) })
console.log(`Listening on ${url}`)
