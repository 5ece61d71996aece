import type { Operation } from '../model/operation.ts'
import { type About, report } from './refuse.ts'

/**
 * Takes the first item of a list that comes item by item, so that what keeps it from coming is answered like any other
 * fault: nothing has been sent yet.
 */
export async function begin(
  items: AsyncIterable<object>,
  about: About<Operation>,
): Promise<Watched<object>> {
  const source = items[Symbol.asyncIterator]()
  return new Watched(new Begun(await source.next(), source), about)
}

/** A part of an answer that is still to come. What goes wrong with it is told to `onError`; there is no other way to say it. */
export class Watched<Value, End = unknown>
  implements AsyncIterableIterator<Value, End | undefined>
{
  /** The same, unwatched: for as long as faults can still be answered. */
  readonly source: AsyncIterableIterator<Value, End>
  /** What it is the answer to. */
  readonly about: About

  constructor(source: AsyncIterableIterator<Value, End>, about: About) {
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

/** An iterator whose first item has been taken already, and is given all the same. */
class Begun implements AsyncIterableIterator<object> {
  #first: IteratorResult<object> | undefined
  #rest: AsyncIterator<object> | undefined

  constructor(first: IteratorResult<object>, rest: AsyncIterator<object>) {
    this.#first = first
    this.#rest = rest
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<object>> {
    const first = this.#first
    this.#first = undefined
    return first ?? this.#rest?.next() ?? over
  }

  async return(): Promise<IteratorResult<object>> {
    const rest = this.#rest
    this.#first = undefined
    this.#rest = undefined
    await rest?.return?.()
    return over
  }
}

const over = Object.freeze({ done: true, value: undefined } as const)
