import type { HttpResponse } from '../../contract/resource/http.ts'
import { toProblem } from '../../convention/problem.ts'
import { type Chunk, type ChunkedList, eachOf } from '../../convention/stream.ts'
import type { Lifetime } from './lifetime.ts'
import { report } from './refuse.ts'

/**
 * Takes the first part of a list that streams. The server has sent nothing yet, so an error until
 * then gets a response like any other.
 */
export async function begin(items: ChunkedList<object>, lifetime: Lifetime): Promise<Body> {
  const source = items.chunks()[Symbol.asyncIterator]()
  const first = await source.next()
  return new Body(new ReplayedChunks({ first, tail: source, lifetime }), lifetime)
}

/**
 * The part of a response that is still to come. Its errors go to `onError`, since the head is sent.
 * Each slice has a deadline.
 */
export class ResponseStream<Value, End = unknown>
  implements AsyncIterableIterator<Value, End | undefined>
{
  /** The iterator itself: errors can still get a response. */
  readonly source: AsyncIterator<Value, End>
  /** The lifetime of its request. */
  readonly lifetime: Lifetime
  #isBroken = false

  constructor(source: AsyncIterator<Value, End>, lifetime: Lifetime) {
    this.source = source
    this.lifetime = lifetime
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Value, End>> {
    try {
      return await this.lifetime.waitForChunk(this.source.next())
    } catch (error) {
      this.#isBroken = true
      report(error, this.lifetime)
      this.lifetime.end({ ...sentHead, problem: toProblem(error).code }, { isWhole: false })
      throw error
    }
  }

  async return(): Promise<IteratorResult<Value, undefined>> {
    await this.close()
    return { done: true, value: undefined }
  }

  /** Closes the source. Never rejects. */
  async close(): Promise<void> {
    try {
      await this.lifetime.waitForChunk(Promise.resolve(this.source.return?.()))
    } catch (error) {
      // An iterator that hangs cannot close either, and `onError` knows of it.
      if (!this.#isBroken) report(error, this.lifetime)
    }
  }
}

/** A list that has begun: its items one by one or, for a door that watches itself, its parts. */
export class Body extends ResponseStream<object> {
  /** The items in parts, unwatched. */
  readonly parts: AsyncIterable<Chunk<object>>

  constructor(parts: ReplayedChunks, lifetime: Lifetime) {
    super(new Items(parts), lifetime)
    this.parts = parts
  }
}

/** Closes the list of a response that nothing will read. */
export function drop({ body }: HttpResponse): void {
  if (body instanceof Body) body.close()
}

class Items implements AsyncIterator<object> {
  readonly #parts: ReplayedChunks
  readonly #each: AsyncGenerator<object>

  constructor(parts: ReplayedChunks) {
    this.#parts = parts
    this.#each = eachOf(parts)
  }

  next(): Promise<IteratorResult<object>> {
    return this.#each.next()
  }

  async return(): Promise<IteratorResult<object>> {
    await this.#each.return(undefined)
    // A generator that never started has closed nothing.
    return this.#parts.return()
  }
}

// The head that the server has sent by then.
const sentHead = { status: 200, body: undefined } as const

interface Beginning {
  readonly first: IteratorResult<Chunk<object>>
  readonly tail: AsyncIterator<Chunk<object>>
  readonly lifetime: Lifetime
}

/** An iterator that returns its first part although {@link begin} took it. It closes once. */
class ReplayedChunks implements AsyncIterableIterator<Chunk<object>> {
  #first: IteratorResult<Chunk<object>> | undefined
  readonly #tail: AsyncIterator<Chunk<object>>
  readonly #lifetime: Lifetime
  #isClosed = false

  constructor({ first, tail, lifetime }: Beginning) {
    this.#first = first
    this.#tail = tail
    this.#lifetime = lifetime
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Chunk<object>>> {
    const first = this.#first
    this.#first = undefined
    const chunk = first ?? (await this.#tail.next())
    if (chunk.done) this.#lifetime.end(sentHead)
    return chunk
  }

  async return(): Promise<IteratorResult<Chunk<object>>> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#lifetime.leave(sentHead)
      await this.#tail.return?.()
    }
    return { done: true, value: undefined }
  }
}
