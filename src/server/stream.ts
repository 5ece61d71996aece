import type { Operation } from '../model/operation.ts'
import { eachOf, type Part, Parts } from '../model/stream.ts'
import { type About, report } from './refuse.ts'

/**
 * Takes the first part of a list that comes in parts, so that what keeps it from coming is answered like any other fault:
 * nothing has been sent yet.
 */
export async function begin(items: AsyncIterable<object>, about: About<Operation>): Promise<Body> {
  const all: AsyncIterable<Part<object>> = items instanceof Parts ? items.parts() : items
  const source = all[Symbol.asyncIterator]()
  return new Body(new Begun(await source.next(), source), about)
}

/** A part of an answer that is still to come. What goes wrong with it is told to `onError`; there is no other way to say it. */
export class Watched<Value, End = unknown>
  implements AsyncIterableIterator<Value, End | undefined>
{
  /** The same, unwatched: for as long as faults can still be answered. */
  readonly source: AsyncIterator<Value, End>
  /** What it is the answer to. */
  readonly about: About

  constructor(source: AsyncIterator<Value, End>, about: About) {
    this.source = source
    this.about = about
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Value, End>> {
    try {
      return await this.source.next()
    } catch (error) {
      report(error, this.about)
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
      await this.source.return?.()
    } catch (error) {
      report(error, this.about)
    }
  }
}

/** A list that has begun: its items one by one or, for whoever watches over what becomes of them, its parts. */
export class Body extends Watched<object> {
  /** The same, in parts and unwatched. */
  readonly parts: AsyncIterable<Part<object>>

  constructor(parts: Begun, about: About) {
    super(new Items(parts), about)
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

/** An iterator whose first part has been taken already, and is given all the same. It is closed once. */
class Begun implements AsyncIterableIterator<Part<object>> {
  #first: IteratorResult<Part<object>> | undefined
  readonly #rest: AsyncIterator<Part<object>>
  #isClosed = false

  constructor(first: IteratorResult<Part<object>>, rest: AsyncIterator<Part<object>>) {
    this.#first = first
    this.#rest = rest
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Part<object>>> {
    const first = this.#first
    this.#first = undefined
    return first ? Promise.resolve(first) : this.#rest.next()
  }

  async return(): Promise<IteratorResult<Part<object>>> {
    if (!this.#isClosed) {
      this.#isClosed = true
      await this.#rest.return?.()
    }
    return { done: true, value: undefined }
  }
}
