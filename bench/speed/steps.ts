import { inTurn } from '../support/figures.ts'
import { bare, contenders } from './contenders.ts'
import { profile } from './servers.ts'
import { type Effort, type Row, Runs, type Table } from './tables.ts'

/**
 * The steps of a request, each with the promise that needs it, and the pattern of its functions:
 * `file:///…/src/wire/json.ts formatJson`. A function belongs to the first step that it matches.
 */
const patterns: Readonly<Record<string, RegExp>> = {
  'Node: parser, request, response, promises, timers': /^(?:node:|$| (?!\())/,
  'garbage collection': /^ \(garbage/,
  'the engine': /^ \(/,
  'the work of the service: adapter, schema, by hand': /bench\/speed|\/node_modules\//,
  'door: answers in order, frames them, cuts off slow readers': /src\/node\//,
  'lifetime: deadline, signal, observers': /src\/server\/lifetime\//,
  'body: media type, size, JSON without duplicates': /wire\/(?:body|json)\.ts (?!formatJson)/,
  'form: fields, ids, rules and the schema': /src\/server\/checks\/(?!value|outcome)/,
  'response: headers, Link, Location':
    /wire\/(?:response|link|cursor|page|next|problem)\.ts|src\/convention\/problems?\.ts/,
  'JSON text': /formatJson|src\/server\/respond/,
  'target: path, parameters and conditions, strictly': /src\/wire\//,
  'screen: only declared fields leave': /screen\.ts|checks\/(?:value|outcome)\.ts/,
  'plan: steps in the order of the checks': /src\//,
}

const notes = [
  'The bench samples the functions of the pipeline every 100 µs, and shares the CPU of a request ' +
    'out by these samples. It measures the CPU itself while the profiler rests. A row names the ' +
    'promise that needs the step. A function of the language counts to its caller, and one of ' +
    'Node to Node. The library runs from its sources here.',
]

/** Measures where the CPU of a request goes in the pipeline, by hand and with nounful. */
export async function steps(effort: Effort): Promise<readonly Table[]> {
  const subjects = contenders.filter(({ name }) => [bare, 'nounful'].includes(name))
  const runs = new Runs()
  for (let run = 0; run < effort.runs; run++) {
    runs.begin()
    for (const contender of inTurn(subjects, run)) {
      for (const [name, functions] of await profile(contender, effort)) {
        for (const [step, time] of Object.entries(timesOfSteps(functions))) {
          runs.add(step, name, { [contender.name]: time })
        }
      }
    }
  }
  return subjects.map(({ name }) => tableOf(name, runs, effort))
}

function tableOf(contender: string, runs: Runs, { requests }: Effort): Table {
  const subject = {
    ...{ title: contender, quantity: contender, contenders: Object.keys(patterns) },
    ...{ cases: requests.map(({ name }) => name), notes },
  }
  const table = runs.table({ level: 'steps', ...subject }, 'ns')
  const isTaken = ({ figures }: Row) => Object.values(figures).some(({ median }) => median > 0)
  const rows = table.rows.filter(isTaken)
  // A file that was renamed must not move its time to another step in silence.
  if (contender === 'nounful' && rows.length < table.rows.length) {
    const names = table.rows.filter((row) => !isTaken(row)).map((row) => row.contender)
    throw new Error(`No function matches the pattern of “${names.join('”, “')}” in steps.ts.`)
  }
  return { ...table, rows }
}

function timesOfSteps(functions: Readonly<Record<string, number>>) {
  const times = Object.fromEntries(Object.keys(patterns).map((step) => [step, 0]))
  for (const [name, time] of Object.entries(functions)) {
    const step = Object.entries(patterns).find(([, pattern]) => pattern.test(name))?.[0]
    if (step === undefined) throw new Error(`No step in steps.ts has the function ${name}.`)
    times[step] = (times[step] ?? 0) + time
  }
  return times
}
