/** What Node's parser tells of a fault of its own. */
export interface ParserError extends NodeJS.ErrnoException {
  /** What it was given, of which it had taken `bytesParsed` when it found the fault. */
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

/** The line in which a parser found its fault: all that has come of it, and where in it that was. */
export interface FaultyLine {
  readonly line: string
  readonly at: number
}

const requestSyntax = /^([\w!#$%&'*+.^`|~-]+) ([!-~]+) HTTP\/1\.[01]$/
const openTargetSyntax = /^[\w!#$%&'*+.^`|~-]+ [!-~]+$/

/** Finds the line of a fault; empty where the parser does not tell. */
export function lineOf({ rawPacket = new Uint8Array(), bytesParsed = 0 }: ParserError): FaultyLine {
  const text = Buffer.from(rawPacket).toString('latin1')
  const start = bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1
  const [line = ''] = text.slice(start).split(/\r?\n/, 1)
  return { line, at: bytesParsed - start }
}

/** Gives the method and target of a request whose method the parser does not know; `undefined` where the line is none of HTTP/1.1. */
export function requestOf({ line }: FaultyLine): { method: string; url: string } | undefined {
  const [, method, url] = requestSyntax.exec(line) ?? []
  return method === undefined || url === undefined ? undefined : { method, url }
}

/** Tells whether a fault stands in a request target that has not ended. */
export function isInTarget({ line, at }: FaultyLine): boolean {
  return openTargetSyntax.test(line.slice(0, at))
}

/** Tells whether a fault stands in the first line of a request whose answer has no content. */
export function isOfHead({ line }: FaultyLine): boolean {
  return line.startsWith('HEAD ')
}
