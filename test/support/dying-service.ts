import type { Layer } from 'nounful'
import { serve } from 'nounful/node'
import { openService } from '../../examples/companies/stored.ts'

/** The example, which is killed after the first create is stored, and before it is answered. */
const dying: Layer = async (request, answer) => {
  const answered = await answer(request)
  if (request.method === 'POST' && answered.status === 201) {
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
  return answered
}

const { DATABASE_URL, DATABASE_FILE = '' } = process.env
const service = await openService(DATABASE_URL ?? DATABASE_FILE)
const { url } = await serve(service.registry, { port: 0, layers: [dying] })
console.log(`Listening on ${url}, until the first create.`)
