// Every response is valid against the document, and so is every accepted request.
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { toOpenApi } from '../../src/openapi.ts'
import { handle } from '../../src/server/handle.ts'
import { finderFor, undeclaredIn } from '../../test/openapi/declared.ts'
import { requestsTo } from '../../test/openapi/requests.ts'
import { makers } from './documents.mjs'

const runs = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const faults = []
const tally = { answers: 0, bodies: 0, accepted: 0 }

// Both forms of the document tell of arrays, `fields` and dry runs.
const forms = Object.entries(makers).flatMap(([name, make]) =>
  ['extension', 'union'].map((arrays) => ({ name: `${name}, ${arrays}`, make, arrays })),
)

for (const { name, make, arrays } of forms) {
  const { registry, options } = make()
  const document = toOpenApi(registry, { ...options, arrays, methods: 'all' })
  const find = finderFor(document)
  const judge = judgeFor(document)
  const sequences = fc.array(requestsTo(make()), { minLength: 5, maxLength: 20, size: 'max' })
  for (const requests of fc.sample(sequences, { numRuns: runs, seed })) {
    const { registry } = make()
    for (const request of requests) {
      const operation = find(request.method, request.url, request.body)
      if (operation === undefined) continue
      const answer = await handle(request, registry)
      tally.answers++
      const found = [
        ...undeclaredIn(document, operation, answer),
        ...faultsOfAnswer(judge, operation, answer),
        ...faultsOfRequest(judge, operation, { request, answer }),
      ]
      faults.push(...found.map((fault) => [name, fault, request]))
    }
  }
}
console.log(`Seed ${seed}: ${JSON.stringify(tally)}`)
for (const fault of faults.slice(0, 10)) console.log(JSON.stringify(fault).slice(0, 1000))
console.log(faults.length === 0 ? 'No fault.' : `${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1

function faultsOfAnswer(judge, { name, responses }, { status, headers, body }) {
  const schema = responses[status]?.content?.[headers['content-type']]?.schema
  if (body === undefined || schema === undefined) return []
  tally.bodies++
  // As it goes over the wire.
  return judge(schema, JSON.parse(JSON.stringify(body))).map((fault) => `${name} → ${fault}`)
}

function faultsOfRequest(judge, { name, parameters, body: schema }, { request, answer }) {
  if (answer.status >= 400 || request.method === 'OPTIONS') return []
  tally.accepted++
  const taken = new URL(request.url, 'http://x').searchParams
  return parameters
    .flatMap(({ name: parameter, in: place, schema, explode }) => {
      const texts = taken.getAll(parameter)
      // An empty one is as if it were not there.
      if (place !== 'query' || !texts[0]) return []
      const value = explode
        ? texts.map((text) => parsed(text, schema.items))
        : parsed(texts[0], schema)
      return judge(schema, value).map((fault) => `${name}?${parameter}: ${fault}`)
    })
    .concat(
      schema === undefined || request.body === undefined
        ? []
        : judge(schema, JSON.parse(request.body)).map((fault) => `${name} takes, but ${fault}`),
    )
}

function parsed(text, { type }) {
  if (type === 'array') return text.split(',')
  if (type === 'boolean') return text === 'true'
  return type === 'integer' || type === 'number' ? Number(text) : text
}

function judgeFor(document) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  const known = new Map()
  return (schema, value) => {
    const text = JSON.stringify(schema)
    if (!known.has(text)) {
      known.set(text, ajv.compile({ ...schema, components: document.components }))
    }
    const validate = known.get(text)
    return validate(value)
      ? []
      : validate.errors.map(
          ({ instancePath, message }) => `${instancePath} ${message}: ${JSON.stringify(value)}`,
        )
  }
}
