import { serve } from 'nounful/node'
import { registry } from '../service/chosen.ts'

const { url } = await serve(registry, { port: 0 })
console.log(`${url}/`)
