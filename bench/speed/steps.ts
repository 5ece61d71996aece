import { bare, contenders } from './contenders.ts'
import { profile } from './servers.ts'
import { type Effort, type Row, Runs, type Table } from './tables.ts'

/** The steps of a request, each with the promise that needs it and the functions that do it. */
const patterns: Readonly<Record<string, RegExp>> = {
  'Node: parser, request, response, promises, timers': /^(?:node:|$| (?!\())/,
  'garbage collection': /^ \(garbage/,
  'the engine': /^ \(/,
  'the work of the service: adapter, schema, by hand': /bench\/speed|\/node_modules\//,
  'door: answers in order, frames them, cuts off slow readers': /src\/node\//,
  'lifetime: deadline, signal, observers': /src\/(?:server\/lifetime\/|convention\/awaitable)/,
  'body: media type, size, JSON without duplicates': /wire\/(?:body|json)\.ts (?!formatJson)/,
  'form: fields, ids, rules and the schema':
    /src\/(?:server\/checks\/(?!value|outcome)|.*body\.ts)/,
  'response: headers, Link, Location':
    /wire\/(?:response|link|cursor|page|next|problem|problems)\.ts|src\/convention\/problems?\.ts/,
  'JSON text': /formatJson|src\/server\/respond/,
  'target: path, parameters and conditions, strictly': /src\/wire\//,
  'screen: only declared fields leave': /screen\.ts|checks\/(?:value|outcome)\.ts/,
  'plan: steps in the order of the checks': /src\//,
}

const notes = [
  'The bench samples the pipeline’s functions every 100 µs, and shares a request’s CPU out by ' +
    'these samples; the CPU itself is measured without the profiler. A step’s row names the ' +
    'promise that needs it. A built-in function counts to its caller. The library runs from its ' +
    'sources here.',
]

/** Measures where the CPU of a request goes in the pipeline, by hand and with nounful. */
export async function steps(effort: Effort): Promise<readonly Table[]> {
  const subjects = contenders.filter(({ name }) => [bare, 'nounful'].includes(name))
  const runs = new Runs()
  for (let run = 0; run < 3; run++) {
    runs.begin()
    for (const contender of subjects) {
      for (const [name, functions] of await profile(contender, effort)) {
        const times = Object.entries(functions)
        for (const step of Object.keys(patterns)) {
          const own = times.filter(([name]) => stepOf(name) === step).map(([, time]) => time)
          const time = own.reduce((sum, time) => sum + time, 0)
          runs.add(step, name, { [contender.name]: time })
        }
      }
    }
  }
  const cases = effort.requests.map(({ name }) => name)
  return subjects.map(({ name }) => {
    const subject = { title: name, quantity: name, contenders: Object.keys(patterns), cases, notes }
    const table = runs.table({ level: 'steps', ...subject }, 'ns')
    const isTaken = ({ figures }: Row) => Object.values(figures).some(({ median }) => median > 0)
    return { ...table, rows: table.rows.filter(isTaken) }
  })
}

function stepOf(name: string): string | undefined {
  return Object.entries(patterns).find(([, pattern]) => pattern.test(name))?.[0]
}
