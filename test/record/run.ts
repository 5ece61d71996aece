// Records what the service answers, and judges a later commit by it. It imports only public doors,
// so files of src/ may move without a change here.
//
//   flags='--disable-warning=ExperimentalWarning --conditions=nounful:source'
//   node $flags test/record/run.ts                    compares everything with digests.json
//   node $flags test/record/run.ts memory commands    compares these parts
//   node $flags test/record/run.ts --write [part…]    writes the digests of the parts
//   node $flags test/record/run.ts --show memory 42   prints the pairs of one thousand
//   node $flags test/record/run.ts --show 'routes --help'   prints the output of one command
//
// Each store has one digest per thousand requests. Each thousand begins with an empty storage, so
// it stands alone. To see a difference, run `--show` at both commits, and compare the two texts.
import { readFileSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import type { HttpRequest, HttpResponse } from 'nounful'
import { canonicalOf, digestOf } from './canonical.ts'
import { digestsOfCommands, lines, outputOf } from './commands.ts'
import { edges, nextPage } from './edges.ts'
import { fixed, seeds } from './fixed.ts'
import { pairsOfOperations } from './operations.ts'
import { randomOf } from './random.ts'
import { type Memory, requestOf } from './requests.ts'
import { openStore, type Store, type StoreName, thousands } from './stores.ts'

const seed = 35_000_003
const file = new URL('digests.json', import.meta.url)
const fixedThousands = Math.ceil(fixed.length / 1000)
const edgeThousands = Math.ceil(edges.length / 1000)
const storeNames = ['memory', 'sqlite', 'postgres', 'mariadb'] as const

type Digests = Record<string, readonly string[]>

/** The texts of a store's thousands: fixed questions, generated ones, edges, and operations. */
async function* thousandsOf(store: Store, name: StoreName): AsyncGenerator<string> {
  const count = fixedThousands + thousands[name]
  for (let n = 0; n < count; n++) yield (await pairsOf(store, n)).join('\n')
  for (let n = 0; n < edgeThousands; n++) yield (await pairsOfEdges(store, n)).join('\n')
  const { adapter } = await store.reset()
  const pairs = await pairsOfOperations(adapter)
  for (let n = 0; n < pairs.length; n += 1000) yield pairs.slice(n, n + 1000).join('\n')
}

/** Asks one thousand. The fixed questions come first. */
async function pairsOf(store: Store, thousand: number): Promise<readonly string[]> {
  const { answer } = await store.reset()
  const memory: Memory = { links: [], etags: [] }
  const pairs: string[] = []
  const ask = async (request: HttpRequest) => {
    const response = await answer(request)
    remember(memory, response)
    pairs.push(await canonicalOf(request, response))
  }
  for (const request of seeds) await ask(request)
  const questions = fixed.slice(thousand * 1000, (thousand + 1) * 1000)
  for (const request of questions) await ask(request)
  const random = randomOf(seed + thousand * 7919)
  const count = thousand < fixedThousands ? 0 : 1000
  for (let n = 0; n < count; n++) await ask(requestOf(random, memory))
  return pairs
}

/** Asks one thousand of the edges. A question about a next page is left out if there is none. */
async function pairsOfEdges(store: Store, thousand: number): Promise<readonly string[]> {
  const { answer } = await store.reset()
  const pairs: string[] = []
  let next: string | undefined
  const questions = edges.slice(thousand * 1000, (thousand + 1) * 1000)
  for (const { url, ...request } of [...seeds, ...questions]) {
    if (next === undefined && url.startsWith(nextPage)) continue
    const question = { ...request, url: url.replace(nextPage, next ?? '') }
    const response = await answer(question)
    next = nextOf(response)
    pairs.push(await canonicalOf(question, response))
  }
  return pairs
}

function remember({ links, etags }: Memory, response: HttpResponse): void {
  const link = nextOf(response)
  if (link !== undefined) links.push(link)
  const { etag } = response.headers
  if (etag !== undefined) etags.push(etag)
}

function nextOf({ headers }: HttpResponse): string | undefined {
  return /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]
}

async function digestsOf(name: StoreName): Promise<string[]> {
  const store = await openStore(name)
  const digests: string[] = []
  try {
    for await (const text of thousandsOf(store, name)) digests.push(digestOf(text))
  } finally {
    await store.close()
  }
  return digests
}

async function show(part: string, thousand: number): Promise<void> {
  const name = storeNames.find((store) => store === part)
  const line = lines.find((words) => words.join(' ') === part) ?? part.split(' ')
  if (name === undefined) return void process.stdout.write(await outputOf(line))
  const store = await openStore(name)
  try {
    let n = 0
    for await (const text of thousandsOf(store, name)) {
      if (n++ === thousand) return void process.stdout.write(text)
    }
  } finally {
    await store.close()
  }
}

/** Names the first place where two recordings of a part differ. */
function differenceOf(stored: readonly string[], actual: readonly string[]): string | undefined {
  const keys = new Set([...Object.keys(stored), ...Object.keys(actual)])
  const [before, after] = [new Map(Object.entries(stored)), new Map(Object.entries(actual))]
  return [...keys].find((key) => before.get(key) !== after.get(key))
}

async function record(parts: readonly string[], isWriting: boolean): Promise<void> {
  const stored: Digests = JSON.parse(readFileSync(file, 'utf8'))
  for (const part of parts) {
    const begin = performance.now()
    const name = storeNames.find((store) => store === part)
    const actual = await (name === undefined ? digestsOfCommands() : digestsOf(name))
    const seconds = Math.round((performance.now() - begin) / 1000)
    const index = differenceOf(stored[part] ?? [], actual)
    const line = name === undefined ? lines[Number(index)]?.join(' ') : undefined
    const place = line ?? index
    console.log(
      `${part}: ${place === undefined ? 'the same' : `differs at ${place}`}, ${seconds} s`,
    )
    if (isWriting) stored[part] = actual
    else if (place !== undefined) process.exitCode = 1
  }
  if (isWriting) writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`)
}

const [option, ...rest] = process.argv.slice(2)
const parts = process.argv.slice(2).filter((word) => word !== '--write')
const unknown = parts.find((part) => ![...storeNames, 'commands'].some((name) => name === part))
if (option === '--show') await show(rest[0] ?? 'memory', Number(rest[1] ?? 0))
else if (unknown !== undefined) throw new TypeError(`Unknown part "${unknown}".`)
else {
  const chosen = parts.length > 0 ? parts : [...storeNames, 'commands']
  await record(chosen, option === '--write')
}
