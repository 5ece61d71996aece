import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Rest, WrittenResponse } from '../server/respond.ts'

/** Sends an answer. One that has a rest is sent slice by slice, as fast as the client reads, and cut off where it fails. */
export function send(
  { status, headers, text, rest }: WrittenResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const isHead = request.method === 'HEAD'
  const isSuperfluous = response.headersSent || isOver(response)
  // Nobody is there any more, or a host has answered in our place; HEAD wants the head only.
  if (isSuperfluous || isHead) rest?.close()
  if (isSuperfluous) return
  const fields = Object.entries(headers).flat()
  if (rest === undefined) fields.push('content-length', `${Buffer.byteLength(text)}`)
  response.writeHead(status, fields)
  if (isHead) response.end()
  else if (rest === undefined) response.end(text)
  else sendSlices(text, rest, response)
}

async function sendSlices(beginning: string, rest: Rest, response: ServerResponse): Promise<void> {
  try {
    let slice: IteratorResult<string, string> = { value: beginning }
    while (!slice.done) {
      await sendSlice(slice.value, response)
      slice = await rest.next()
      if (isOver(response)) return await rest.close()
    }
    response.end(slice.value)
  } catch {
    cutOff(response)
  }
}

// An end would make a whole of what there is. HTTP/2 takes a destruction without an error for one.
function cutOff(response: ServerResponse): void {
  if (response.req.httpVersionMajor === 1) response.destroy()
  else response.destroy(new Error('The answer broke off'))
}

function isOver(response: ServerResponse): boolean {
  return response.writableEnded || response.destroyed
}

// Waits for the client; where it reads as fast as we write, for others to have their turn.
function sendSlice(slice: string, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.write(slice)) {
      setImmediate(resolve)
      return
    }
    const goOn = (): void => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.on('drain', goOn).on('close', goOn)
  })
}
