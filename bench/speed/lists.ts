import { start } from '../support/process.ts'
import { type Effort, rowOf, type Table } from './tables.ts'

/** By the name of each in `inside/lists.mjs`. */
const contenders = {
  bare: 'bare, JSON.stringify at once',
  array: 'nounful, an array',
  iterable: 'nounful, an async iterable',
  fastify: 'fastify',
  express: 'express',
}
const [stall, cpu] = ['longest stall, ms', 'CPU an answer, ms']

/** Measures how long a list of 10,000 items delays other requests. */
export async function lists({ core, isShort }: Effort): Promise<readonly Table[]> {
  const [rounds, answers] = isShort ? [3, 5] : [15, 20]
  const servers: Server[] = []
  for (const name of Object.keys(contenders)) servers.push(await startServer(name, core))
  // The first round compiles.
  for (let round = 0; round <= rounds; round++) {
    for (const server of servers) await server.measure(answers)
  }
  for (const { kill } of servers) await kill()
  return [
    {
      ...{ level: 'lists', title: '10,000 items', unit: 'ms', cases: [stall, cpu] },
      rows: servers.map(({ title, stalls, cpus }) =>
        rowOf(title, [stall, cpu], (name) => (name === stall ? stalls : cpus).slice(1)),
      ),
      notes: [
        'Items of seven fields, one response after another. The stall is the longest delay of a ' +
          'timer of 1 ms while the server writes responses: other requests wait that long.',
      ],
    },
  ]
}

type Server = Awaited<ReturnType<typeof startServer>>

async function startServer(name: string, core: number) {
  const file = new URL('inside/lists.mjs', import.meta.url)
  const child = start({ file, about: { name }, env: { NODE_ENV: 'production' }, core })
  const url = `http://127.0.0.1:${await child.ask<number>('port')}/v1/employees`
  const stalls: number[] = []
  const cpus: number[] = []
  const measure = async (answers: number): Promise<void> => {
    await child.ask('begin')
    for (let time = 0; time < answers; time++) {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`${name}: ${response.status}`)
      await response.arrayBuffer()
    }
    const end = await child.ask<{ stall: number; cpu: number }>('end')
    stalls.push(end.stall)
    cpus.push(end.cpu / answers)
  }
  const title = Reflect.get(contenders, name) as string
  return { title, stalls, cpus, measure, kill: child.kill }
}
