/** A request, and the status and code of its response on every runtime: `404 not_found`. */
export type Row = readonly [method: string, target: string, verdict: string, more?: More]

/** The rest of a request besides its first line and `Host`. */
export interface More {
  /** In the order they are sent; a name may come twice. */
  readonly fields?: readonly (readonly [name: string, value: string])[]
  /** Sent with its length, unless it is a list: that is sent in chunks. */
  readonly body?: string | Uint8Array | readonly string[]
}

/** Requests of one kind, in the order they are sent, after those of the tables before. */
export interface Table {
  readonly name: string
  readonly rows: readonly Row[]
}

/** A body of JSON, declared as such. */
export function json(body: string | Uint8Array | readonly string[], ...fields: Fields): More {
  return { fields: [['Content-Type', 'application/json'], ...fields], body }
}

/** Fields of a head. */
export function having(...fields: Fields): More {
  return { fields }
}

type Fields = readonly (readonly [name: string, value: string])[]

/** The bytes of a request. */
export function bytesOf([method, target, , { fields = [], body } = {}]: Row): Buffer {
  const isChunked = Array.isArray(body)
  const chunks = isChunked
    ? [...body, ''].map(toChunk)
    : [Buffer.from((body ?? '') as string | Uint8Array)]
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const framing = isChunked
    ? ['Transfer-Encoding: chunked']
    : body === undefined
      ? []
      : [`Content-Length: ${length}`]
  // Surplus bytes after the response are then part of it.
  const lines = ['Host: any.localhost', 'Connection: close', ...framing]
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...lines,
    ...fields.map((field) => field.join(': ')),
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), ...chunks])
}

function toChunk(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}
