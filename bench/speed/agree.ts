import { type Case, cases } from './cases.ts'
import { ours } from './contenders.ts'

/** The compared part of a response. */
interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Reads an answer as it went over the wire, in Latin-1. */
export function parseAnswer(bytes: string): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  const [start = '', ...lines] = bytes.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = bytes.slice(end + 4)
  const isChunked = headers.get('transfer-encoding') === 'chunked'
  return { status: Number(start.split(' ')[1]), headers, body: isChunked ? unchunk(body) : body }
}

function unchunk(chunks: string): string {
  const end = chunks.indexOf('\r\n')
  const length = Number.parseInt(chunks.slice(0, end), 16)
  if (!(length > 0)) return ''
  const start = end + 2
  return chunks.slice(start, start + length) + unchunk(chunks.slice(start + length + 2))
}

/** One whose answers are compared. */
export interface Answerer {
  readonly name: string
  ask(asked: Case): Promise<Answer>
}

/**
 * Checks that all contenders send the same status, body, media type and headers.
 *
 * @throws {Error} For the first difference; it names it.
 */
export async function compareAnswers([first, ...others]: readonly Answerer[]): Promise<void> {
  if (first === undefined) return
  for (const asked of cases) {
    const expected = await first.ask(asked)
    for (const other of others) {
      const found = await other.ask(asked)
      const where = `${other.name}, ${asked.name}`
      compare(found, expected, where)
      if (ours.includes(other.name)) compareNames(found, expected, where)
    }
  }
}

const told = ['content-type', 'allow', 'location', 'link']

function compare(found: Answer, expected: Answer, where: string): void {
  expect(found.status, expected.status, `${where}: status`)
  expect(found.body, expected.body, `${where}: body`)
  for (const name of told) {
    const [one, other] = [found, expected].map(({ headers }) => withoutCharset(headers.get(name)))
    expect(one, other, `${where}: ${name}`)
  }
}

// A yardstick by hand must send the same headers, no more and no fewer.
function compareNames(found: Answer, expected: Answer, where: string): void {
  const [one, other] = [found, expected].map(({ headers }) => [...headers.keys()].sort().join(', '))
  expect(one, other, `${where}: headers`)
}

function expect(found: unknown, expected: unknown, what: string): void {
  if (found === expected) return
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
}

// JSON is UTF-8 with or without saying so; some frameworks always do.
function withoutCharset(header: string | undefined): string | undefined {
  return header?.replace(/; ?charset=utf-8$/i, '')
}
