// What a process spends its time on, by the part of the program whose code it is.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const session = new Session()

/** Begins to watch. To be called first: code that is compiled before does not tell what has been put into it. */
export async function watch() {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 100 })
  await session.post('Profiler.start')
}

/** Ends what {@link watch} or {@link sharesOf} has begun. */
export function unwatch() {
  return session.post('Profiler.stop')
}

/** The shares of the time that something takes, by part. */
export async function sharesOf(run) {
  await session.post('Profiler.start')
  await run()
  const { profile } = await unwatch()
  const times = timesIn(profile)
  const all = Object.values(times).reduce((sum, time) => sum + time, 0)
  return Object.fromEntries(Object.entries(times).map(([part, time]) => [part, time / all]))
}

function timesIn({ nodes, samples, timeDeltas }) {
  const times = new Map()
  for (const [place, id] of samples.entries()) {
    times.set(id, (times.get(id) ?? 0) + timeDeltas[place])
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = {}
  const visit = ({ id, callFrame, children = [] }, around) => {
    const part = partOf(callFrame) ?? around
    if (part !== nobody) found[part] = (found[part] ?? 0) + (times.get(id) ?? 0)
    for (const child of children) visit(byId.get(child), part)
  }
  visit(nodes[0], nobody)
  return found
}

const nobody = 'nobody'
const unplaced = new Map([
  ['(idle)', nobody],
  ['(garbage collector)', 'collecting garbage'],
  ['(program)', 'V8 and others'],
])
const rooms = new Map()

// `undefined` for what is part of who calls it, as `JSON.stringify` is.
function partOf({ functionName, url, lineNumber }) {
  if (url.startsWith('node:')) return 'Node'
  if (url.includes('/dist/')) return roomAt(url, lineNumber)
  const [, room] = /\/src\/(\w+)/.exec(url) ?? []
  if (room !== undefined) return `src/${room}`
  if (url.includes('/inside/')) return 'asking'
  if (url.includes('/contenders/work/')) return 'the work'
  if (url !== '') return 'its own code'
  return unplaced.get(functionName)
}

// What is built says of every part where it is from.
function roomAt(url, line) {
  if (!rooms.has(url)) {
    let room
    const lines = readFileSync(new URL(url), 'utf8').split('\n')
    const places = lines.map((text) => {
      room = /^\/\/ (src\/\w+)[/.]/.exec(text)?.[1] ?? room
      return room
    })
    rooms.set(url, places)
  }
  return rooms.get(url)[line]
}
