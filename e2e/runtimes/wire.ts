import { connect } from 'node:net'

/** A response from a connection, without the server's own headers. */
export interface Answer {
  readonly status: number
  /** `name: value`, names in lower case, in the order of the alphabet. */
  readonly fields: readonly string[]
  readonly body: string
  /** All of it has come, as far as it says itself. */
  readonly isWhole: boolean
}

/** The headers of the connection or the clock, which differ between servers. */
const own: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

/** Milliseconds for an answer: for a machine that does much else. */
const patience = 20_000
/** Milliseconds for what may come after a whole answer, where the connection is not closed. */
const afterthought = 10

/**
 * Sends bytes over a connection of their own, and returns the response. Returns `undefined` where
 * the server closed the connection without a response, or never sent all of it.
 */
export function ask(port: number, bytes: Uint8Array): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const socket = connect(port, '127.0.0.1')
    const isHead = Buffer.from(bytes.subarray(0, 5)).toString() === 'HEAD '
    const finish = (): void => {
      clearTimeout(deadline)
      socket.destroy()
      resolve(parseAnswer(received, isHead))
    }
    const deadline = setTimeout(finish, patience)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (parseAnswer(received, isHead)?.isWhole) setTimeout(finish, afterthought)
    })
    // The bytes before a broken connection count too.
    socket.on('error', () => undefined).on('close', finish)
    socket.write(bytes)
  })
}

function parseAnswer(bytes: Buffer, isHead: boolean): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1])
  const rest = bytes.subarray(end + 4)
  if (status < 200) return parseAnswer(rest, isHead)
  const fields = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const { body, isWhole } = bodyOf(rest, new Map(fields), isHead)
  const told = fields.filter(([name]) => !own.has(name)).map((field) => field.join(': '))
  return { status, fields: told.sort(), body: body.toString(), isWhole }
}

interface Body {
  readonly body: Buffer
  readonly isWhole: boolean
}

// The body includes surplus bytes, to show them. Without a length it ends with the connection.
function bodyOf(bytes: Buffer, fields: ReadonlyMap<string, string>, isHead: boolean): Body {
  if (isHead) return { body: bytes, isWhole: true }
  if (fields.get('transfer-encoding')?.toLowerCase() === 'chunked') return unchunked(bytes)
  const length = fields.get('content-length')
  return { body: bytes, isWhole: length !== undefined && bytes.length >= Number(length) }
}

function unchunked(bytes: Buffer): Body {
  const chunks: Buffer[] = []
  for (let start = 0; ; ) {
    const end = bytes.indexOf('\r\n', start)
    const length = Number.parseInt(bytes.subarray(start, end).toString(), 16)
    start = end + 2
    const isHere = end >= 0 && bytes.length >= start + length + 2
    if (!isHere) return { body: Buffer.concat(chunks), isWhole: false }
    chunks.push(bytes.subarray(start, start + length))
    start += length + 2
    if (length > 0) continue
    return { body: Buffer.concat([...chunks, bytes.subarray(start)]), isWhole: true }
  }
}
