import process from 'node:process'
import { serve } from 'nounful/node'
import { registry } from '../service/chosen.ts'

const { url, close } = await serve(registry, { port: 0 })
console.log(`${url}/`)
process.once('SIGTERM', () => close())
