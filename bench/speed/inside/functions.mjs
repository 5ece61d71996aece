// Functions alone: no server, no socket, all in this one process.
import { promiseHooks } from 'node:v8'
import { answers } from './questions.mjs'
import { clockInTurn, timeInTurn } from './turns.mjs'
import { bodies, bulk, findMyWayRouter, nounful, registryOf, requests } from './world.mjs'

// One item more than the page: then the list has a `Link`.
const registry = registryOf(21)
const router = findMyWayRouter()

const functions = {
  parse: (request) => parseOrProblem(request),
  'find-my-way': ({ method, url }) => router.find(method, url),
  handle: (request) => nounful.handle(request, registry),
}

function throughJson({ text, value }) {
  JSON.parse(text)
  return JSON.stringify(value)
}

answers({ functions: measure, promises: countPromises })

/** Times every function on every case: nanoseconds a call, by `function: case`, a value a round. */
async function measure(effort) {
  for (const [name, asked] of Object.entries(requests)) await checkStatus(name, asked)
  const runners = Object.entries(functions).flatMap(([name, call]) =>
    Object.entries(requests).map(([asked, inputs]) => ({
      name: `${name}: ${asked}`,
      call,
      inputs,
    })),
  )
  const yardsticks = Object.entries(bodies).flatMap(([asked, inputs]) =>
    ['JSON', 'JSON again'].map((name) => ({
      name: `${name}: ${asked}`,
      call: throughJson,
      inputs,
    })),
  )
  const [many, few] = [false, true].map((isBulk) =>
    [...yardsticks, ...runners].filter(({ name }) => name.endsWith(`: ${bulk}`) === isBulk),
  )
  return { ...(await timeInTurn(many, effort)), ...(await clockInTurn(few, effort)) }
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
