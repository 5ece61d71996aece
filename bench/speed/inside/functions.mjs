// Functions alone: no server, no socket, all in this one process.
import { promiseHooks } from 'node:v8'
import { answers } from './questions.mjs'
import { timeInTurn } from './turns.mjs'
import { findMyWayRouter, items, nounful, registryOf, requests } from './world.mjs'

const registry = registryOf(20)
const ofOne = registryOf(1)
const router = findMyWayRouter()

const functions = {
  parse: (request) => parseOrProblem(request),
  'find-my-way': ({ method, url }) => router.find(method, url),
  handle: (request) => nounful.handle(request, registry),
}
const handleOne = (request) => nounful.handle(request, ofOne)

answers({ functions: measure, promises: countPromises })

/** Times every function on every case: nanoseconds a call, by `function: case`, a value a round. */
async function measure(effort) {
  for (const [name, asked] of Object.entries(requests)) checkStatus(name, asked)
  const runners = Object.entries(functions).flatMap(([name, call]) =>
    Object.entries(requests).map(([asked, inputs]) => ({
      name: `${name}: ${asked}`,
      call,
      inputs,
    })),
  )
  return timeInTurn(
    [
      { name: 'stringify', call: JSON.stringify, inputs: items },
      { name: 'stringify again', call: JSON.stringify, inputs: items },
      { name: 'nothing', call: () => undefined, inputs: items },
      { name: 'handle: list of one', call: handleOne, inputs: requests.list },
      ...runners,
    ],
    effort,
  )
}

// What there is not is thrown, and somebody has to catch it.
function parseOrProblem(request) {
  try {
    return nounful.parseRequest(request, registry)
  } catch (problem) {
    return problem
  }
}

// What is answered wrongly is answered fast.
function checkStatus(name, asked) {
  const expected = Number(name) || 200
  for (const request of asked) {
    const { status } = nounful.handle(request, registry)
    if (status !== expected)
      throw new Error(`${name}, ${request.url}: ${status} instead of ${expected}`)
  }
}

/** The promises that come to be in a thousand answers of each case, by case. */
function countPromises() {
  const counts = {}
  for (const [name, asked] of Object.entries(requests)) {
    let count = 0
    const stop = promiseHooks.onInit(() => count++)
    for (let turn = 0; turn < 1000; turn++) nounful.handle(asked[turn % asked.length], registry)
    stop()
    counts[name] = count
  }
  return counts
}
