// Functions alone: no server, no socket, all in this one process.
import { promiseHooks } from 'node:v8'
import { answers } from '../../support/process.ts'
import { clockInTurn } from '../../support/turns.ts'
import { flat, timeInTurn } from './turns.mjs'
import { bodies, bulk, findMyWayRouter, listOf, nounful, registryOf, requests } from './world.mjs'

// One item more than the page: then the list has a `Link`.
const registry = registryOf(listOf(21))
const router = findMyWayRouter()

const functions = {
  'nounful, parse': parseOrProblem,
  'find-my-way': ({ method, url }) => router.find(method, url),
  'nounful, handle': (request) => nounful.handle(request, registry),
}

function throughJson({ text, value }) {
  JSON.parse(text)
  return JSON.stringify(value)
}

answers({ functions: measure, promises: countPromises, hostile })

/** Times every function on every case: nanoseconds a call, by `function: case`, a value a round. */
async function measure({ rounds, milliseconds }) {
  for (const [name, asked] of Object.entries(requests)) await checkStatus(name, asked)
  const runnersOf = (functions, inputs) =>
    Object.entries(functions).flatMap(([name, call]) =>
      Object.entries(inputs).map(([asked, inputs]) => {
        return { name: `${name}: ${asked}`, call, inputs }
      }),
    )
  const yardsticks = { JSON: throughJson, 'JSON again': throughJson }
  const runners = [...runnersOf(yardsticks, bodies), ...runnersOf(functions, requests)]
  const isBulk = ({ name }) => name.endsWith(`: ${bulk}`)
  const functionTimes = await timeInTurn(
    runners.filter((runner) => !isBulk(runner)),
    { rounds, milliseconds },
  )
  // By the clock, pauses included: the core pauses between the items of a bulk.
  const calls = runners.filter(isBulk).map(({ name, call, inputs }) => {
    return [name, (turn) => call(inputs[turn % inputs.length])]
  })
  const work = { unmeasured: 50, fewest: rounds, most: rounds, milliseconds }
  return { ...functionTimes, ...(await clockInTurn(Object.fromEntries(calls), work)) }
}

// A request without a route throws its problem.
function parseOrProblem(request) {
  try {
    return nounful.parseRequest(request, registry)
  } catch (problem) {
    return problem
  }
}

// A wrong answer is a fast one.
async function checkStatus(name, asked) {
  const expected = Number(name) || (name === 'create' ? 201 : 200)
  for (const request of asked) {
    const { status, body } = await nounful.handle(request, registry)
    if (status === expected) continue
    throw new Error(`${name}: ${status} instead of ${expected}, ${JSON.stringify(body)}`)
  }
}

/** Counts the promises that a thousand answers of each case make, without the bulk. */
function countPromises() {
  let count = 0
  for (const [name, asked] of Object.entries(requests)) {
    if (name === bulk) continue
    const stop = promiseHooks.onInit(() => count++)
    for (let turn = 0; turn < 1000; turn++) nounful.handle(asked[turn % asked.length], registry)
    stop()
  }
  return count
}

const collection = '/v1/employees'
/** The text before the repeated one, and that one. */
const targets = [
  [`${collection}/`, '%'],
  [`${collection}/`, '%41'],
  [`${collection}/`, '%C3%A9'],
  [`${collection}?q=`, '%'],
  [`${collection}?after=Wy`, '%41'],
  [`${collection}?after=Wyd3`, 'w6nD'],
  [`${collection}?after=`, '+'],
  ['', '/'],
  [collection, '/a'],
  [collection, '/.'],
  [`${collection}?`, '&'],
  [`${collection}?a`, '&a'],
  [`${collection}?a=`, '&a='],
  [`${collection}?limit=1`, '&limit=1'],
  [`${collection}?sort=`, '='],
  [`${collection}?sort=`, ','],
  [`${collection}?sort=`, 'name,'],
  [`${collection}?sort=`, '-,'],
  ['', 'http://a'],
  ['http://a', '%61'],
  ['http://[', ':'],
]

/** Microseconds of a response by target, limits and kilobytes: the least of all rounds. */
function hostile({ lengths, rounds }) {
  // As limits are by default, and with room for all targets.
  const refused = registryOf(listOf(20))
  const open = registryOf(listOf(20), { limits: { target: 65_536 } })
  const rows = targets.map(([start, text]) => ({ name: start + text, open: {}, refused: {} }))
  for (let round = 0; round < rounds; round++) {
    for (const [place, [start, text]] of targets.entries()) {
      for (const length of lengths) {
        // Another text each round: nothing that was seen may be remembered.
        const begin = start + text.repeat(round % 7)
        const rest = text.repeat(Math.ceil((length * 1024 - begin.length) / text.length))
        for (const [name, registry] of Object.entries({ open, refused })) {
          const times = rows[place][name]
          times[length] = Math.min(times[length] ?? Infinity, timeOf(flat(begin + rest), registry))
        }
      }
    }
  }
  return rows
}

function timeOf(url, registry) {
  const request = { method: 'GET', url, headers: {} }
  const start = process.hrtime.bigint()
  for (let turn = 0; turn < 5; turn++) nounful.handle(request, registry)
  return Number(process.hrtime.bigint() - start) / 5000
}
