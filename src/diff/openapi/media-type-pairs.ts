import type { MediaType } from './api-document.ts'

/** The media types of two bodies that stand for each other. */
export interface MediaTypePairs {
  readonly pairs: readonly (readonly [old: MediaType, next: MediaType])[]
  /** Types of the old body that the new one lacks. */
  readonly removed: readonly MediaType[]
  /** Types of the new body that the old one lacked. */
  readonly added: readonly MediaType[]
}

/**
 * Pairs the media types of two bodies: equal ones, else those without parameters, else a range that
 * holds the type: `application/json` and `application/*`.
 *
 * @see RFC 9110 §8.3.1, §12.5.1
 */
export function pairMediaTypes(
  old: readonly MediaType[],
  next: readonly MediaType[],
): MediaTypePairs {
  const forward = old.map((one) => [one, within(one, next)] as const)
  const backward = next.map((one) => [within(one, old), one] as const)
  const pairs = new Map<string, readonly [MediaType, MediaType]>()
  for (const [one, other] of [...forward, ...backward]) {
    if (one && other) pairs.set(`${one.type} ${other.type}`, [one, other])
  }
  return {
    pairs: [...pairs.values()],
    removed: forward.filter(([, other]) => other === undefined).map(([one]) => one),
    added: backward.filter(([one]) => one === undefined).map(([, other]) => other),
  }
}

function within(one: MediaType, others: readonly MediaType[]): MediaType | undefined {
  const essence = essenceOf(one)
  const [main] = essence.split('/')
  return (
    others.find(({ type }) => type === one.type) ??
    others.find((other) => essenceOf(other) === essence) ??
    others.find((other) => essenceOf(other) === `${main}/*`) ??
    others.find((other) => essenceOf(other) === '*/*')
  )
}

function essenceOf({ type }: MediaType): string {
  return type.split(';')[0] ?? ''
}
