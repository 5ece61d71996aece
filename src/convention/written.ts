import type { Awaitable } from './awaitable.ts'

/** A body as a door sends it. `Content` is text, or bytes after an {@link Encode}. */
export interface WrittenBody<
  Content extends string | Uint8Array<ArrayBuffer> = string | Uint8Array<ArrayBuffer>,
> {
  /** By lower-case name, without `content-length`. */
  readonly headers: Readonly<Record<string, string>>
  /** All of the body, or its beginning where there are `slices`. */
  readonly content: Content
  /** The later slices of a long list that streams. A failure must cut the response off. */
  readonly slices: Slices<Content> | undefined
}

/** The slices after the beginning of a body; the last has `done`. Read it whole, or close it. */
export interface Slices<Content = WrittenBody['content']> {
  next(): Promise<IteratorResult<Content, Content>>
  /** Never rejects. */
  close(): Promise<void>
}

/** Changes a body after the server has written it, with its headers: a compression. */
export type Encode = (written: WrittenBody<string>) => Awaitable<WrittenBody>
