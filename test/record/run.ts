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
import { fixed, seeds } from './fixed.ts'
import { randomOf } from './random.ts'
import { type Memory, requestOf } from './requests.ts'
import { openStore, type Store, type StoreName, thousands } from './stores.ts'

const seed = 35_000_003
const file = new URL('digests.json', import.meta.url)
const fixedThousands = Math.ceil(fixed.length / 1000)
const storeNames = ['memory', 'sqlite', 'postgres', 'mariadb'] as const

type Digests = Record<string, readonly string[]>

/** Asks one thousand, and returns all pairs as one text. The fixed questions come first. */
async function pairsOf(store: Store, thousand: number): Promise<string> {
  const answer = await store.reset()
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
  return pairs.join('\n')
}

function remember({ links, etags }: Memory, { headers }: HttpResponse): void {
  const link = /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]
  if (link !== undefined) links.push(link)
  if (headers.etag !== undefined) etags.push(headers.etag)
}

async function digestsOf(name: StoreName): Promise<string[]> {
  const store = await openStore(name)
  const digests: string[] = []
  try {
    for (let n = 0; n < fixedThousands + thousands[name]; n++) {
      digests.push(digestOf(await pairsOf(store, n)))
    }
  } finally {
    await store.close()
  }
  return digests
}

async function show(part: string, thousand: number): Promise<void> {
  const name = storeNames.find((store) => store === part)
  if (name === undefined) return void process.stdout.write(outputOf(part.split(' ')))
  const store = await openStore(name)
  try {
    process.stdout.write(await pairsOf(store, thousand))
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
    const actual = name === undefined ? digestsOfCommands() : await digestsOf(name)
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
