// Serves the recorded API with its first items, and prints its URL: `nounful check` asks it.
import { serve } from 'nounful/node'
import { seeds } from './fixed.ts'
import { openStore } from './stores.ts'

const store = await openStore('memory')
const { answer, registry } = await store.reset()
for (const request of seeds) await answer(request)
const { url } = await serve(registry, { port: 0, host: '127.0.0.1' })
console.log(url)
