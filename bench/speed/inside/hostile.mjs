// The most that one request can cost: long targets of texts that are hard to parse.
import { answers } from './questions.mjs'
import { flat } from './turns.mjs'
import { nounful, registryOf } from './world.mjs'

// As it is set by default, and with room for all of them.
const registries = { default: registryOf(20), open: registryOf(20, { limits: { target: 65_536 } }) }

const employees = '/v1/employees'
/** The repeated text, and the text before it. */
const shapes = {
  '%, in an id': [`${employees}/`, '%'],
  '%41, in an id': [`${employees}/`, '%41'],
  '%C3%A9, in an id': [`${employees}/`, '%C3%A9'],
  '%, in a value': [`${employees}?q=`, '%'],
  '%41, in a value': [`${employees}?after=Wy`, '%41'],
  'é, in a cursor': [`${employees}?after=Wyd3`, 'w6nD'],
  '+, in a value': [`${employees}?after=`, '+'],
  '/': ['', '/'],
  '/a': [employees, '/a'],
  '/.': [employees, '/.'],
  '&': [`${employees}?`, '&'],
  '&a': [`${employees}?a`, '&a'],
  '&a=': [`${employees}?a=`, '&a='],
  '&limit=1': [`${employees}?limit=1`, '&limit=1'],
  '=': [`${employees}?sort=`, '='],
  ',': [`${employees}?sort=`, ','],
  'name,': [`${employees}?sort=`, 'name,'],
  '-,': [`${employees}?sort=`, '-,'],
  'http://a': ['', 'http://a'],
  'http://%': ['http://a', '%61'],
  'http://[': ['http://[', ':'],
}

answers({ hostile: measure })

/**
 * Nanoseconds of a response, by text and length. The least of all rounds: disturbance only adds.
 */
function measure({ lengths, rounds }) {
  const rows = Object.keys(shapes).flatMap((shape) =>
    Object.keys(registries).map((limits) => ({ shape, limits, times: {} })),
  )
  for (let round = 0; round < rounds; round++) {
    for (const { shape, limits, times } of rows) {
      for (const length of lengths) {
        const time = timeOf(targetOf(shape, length, round), registries[limits])
        times[length] = Math.min(times[length] ?? Infinity, time)
      }
    }
  }
  return rows
}

// Another text each round: nothing that was seen may be remembered.
function targetOf(shape, length, round) {
  const [before, again] = shapes[shape]
  const begun = before + again.repeat(round % 7)
  return flat(begun + again.repeat(Math.ceil((length - begun.length) / again.length)))
}

const times = 5

function timeOf(url, registry) {
  const request = { method: 'GET', url, headers: {} }
  const start = process.hrtime.bigint()
  for (let turn = 0; turn < times; turn++) nounful.handle(request, registry)
  return Number(process.hrtime.bigint() - start) / times
}
