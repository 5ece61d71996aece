/** An answer as it came. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly text: string
}

const headEnd = Buffer.from('\r\n\r\n')

/**
 * Takes answers apart as they come over a connection, one after another.
 *
 * @param next Gets each; tells nothing.
 * @param isHead Tells whether the next one answers HEAD, and so has no body.
 */
export function reader(
  next: (answer: Answer) => void,
  isHead: () => boolean = () => false,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (;;) {
      const end = bytes.indexOf(headEnd, at)
      if (end < 0) break
      const head = bytes.toString('latin1', at, end)
      const status = Number(head.slice(9, 12))
      if (status === 100) {
        at = end + 4
        continue
      }
      const body = isHead() ? nobody : bodyAt(bytes, end + 4, head)
      if (body === undefined) break
      at = end + 4 + body.length
      next({ status, head, text: body.text })
    }
    rest = at === 0 ? bytes : bytes.subarray(at)
  }
}

interface Body {
  readonly length: number
  readonly text: string
}

const nobody: Body = { length: 0, text: '' }

function bodyAt(bytes: Buffer, start: number, head: string): Body | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) return chunkedAt(bytes, start)
  const end = start + Number(length)
  if (bytes.length < end) return undefined
  return { length: end - start, text: bytes.toString('utf8', start, end) }
}

// Reads a streamed list. The search starts at the end, as such lists are long.
function chunkedAt(bytes: Buffer, start: number): Body | undefined {
  const texts: string[] = []
  let at = start
  for (;;) {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    const next = end + 2 + size + 2
    if (Number.isNaN(size)) throw new Error(`No chunk: ${bytes.toString('latin1', at, end)}`)
    if (bytes.length < next) return undefined
    if (size === 0) return { length: next - start, text: texts.join('') }
    texts.push(bytes.toString('utf8', end + 2, next - 2))
    at = next
  }
}

/** The bytes of a request: its head, and a body with its length. */
export function bytesOf(
  method: string,
  target: string,
  { body, fields = {} }: { readonly body?: string; readonly fields?: Record<string, string> } = {},
): string {
  const all = {
    host: 'soak.localhost',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` }),
    ...fields,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
