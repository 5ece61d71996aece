import { toProblem } from '../../model/problem.ts'
import { eachOf, type Part, type Parts } from '../../model/stream.ts'
import type { Lifetime } from './lifetime.ts'
import { report } from './refuse.ts'

/**
 * Takes the first part of a list that comes in parts, so that what keeps it from coming is answered like any other fault:
 * nothing has been sent yet.
 */
export async function begin(items: Parts<object>, lifetime: Lifetime): Promise<Body> {
  const source = items.parts()[Symbol.asyncIterator]()
  const first = await source.next()
  return new Body(new Begun({ first, rest: source, lifetime }), lifetime)
}

/**
 * A part of an answer that is still to come. What goes wrong with it is told to `onError`; there is no other way to say it. What
 * takes too long is given up.
 */
export class Watched<Value, End = unknown>
  implements AsyncIterableIterator<Value, End | undefined>
{
  /** The same, unwatched: for as long as faults can still be answered. */
  readonly source: AsyncIterator<Value, End>
  /** What it is the answer to. */
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
      return await this.lifetime.part(this.source.next())
    } catch (error) {
      this.#isBroken = true
      report(error, this.lifetime)
      this.lifetime.end({ ...begun, problem: toProblem(error).code }, { isWhole: false })
      throw error
    }
  }

  async return(): Promise<IteratorResult<Value, undefined>> {
    await this.close()
    return { done: true, value: undefined }
  }

  /** Gives up the rest. Never rejects. */
  async close(): Promise<void> {
    try {
      await this.lifetime.part(Promise.resolve(this.source.return?.()))
    } catch (error) {
      // What hangs cannot be closed either, and has been told of.
      if (!this.#isBroken) report(error, this.lifetime)
    }
  }
}

/** A list that has begun: its items one by one or, for whoever watches over what becomes of them, its parts. */
export class Body extends Watched<object> {
  /** The same, in parts and unwatched. */
  readonly parts: AsyncIterable<Part<object>>

  constructor(parts: Begun, lifetime: Lifetime) {
    super(new Items(parts), lifetime)
    this.parts = parts
  }
}

class Items implements AsyncIterator<object> {
  readonly #parts: Begun
  readonly #each: AsyncGenerator<object>

  constructor(parts: Begun) {
    this.#parts = parts
    this.#each = eachOf(parts)
  }

  next(): Promise<IteratorResult<object>> {
    return this.#each.next()
  }

  async return(): Promise<IteratorResult<object>> {
    await this.#each.return(undefined)
    // Nothing has been closed if nobody has gone through them.
    return this.#parts.return()
  }
}

// What has been said when the first part is on its way.
const begun = { status: 200, body: undefined } as const

interface Beginning {
  readonly first: IteratorResult<Part<object>>
  readonly rest: AsyncIterator<Part<object>>
  readonly lifetime: Lifetime
}

/** An iterator whose first part has been taken already, and is given all the same. It is closed once. */
class Begun implements AsyncIterableIterator<Part<object>> {
  #first: IteratorResult<Part<object>> | undefined
  readonly #rest: AsyncIterator<Part<object>>
  readonly #lifetime: Lifetime
  #isClosed = false

  constructor({ first, rest, lifetime }: Beginning) {
    this.#first = first
    this.#rest = rest
    this.#lifetime = lifetime
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Part<object>>> {
    const first = this.#first
    this.#first = undefined
    const part = first ?? (await this.#rest.next())
    if (part.done) this.#lifetime.end(begun)
    return part
  }

  async return(): Promise<IteratorResult<Part<object>>> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#lifetime.leave(begun)
      await this.#rest.return?.()
    }
    return { done: true, value: undefined }
  }
}
