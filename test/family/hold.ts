import { isDeepStrictEqual } from 'node:util'
import type { Item } from './levels.ts'
import type { Scene } from './script.ts'
import { type Answer, type Asked, textOf } from './trial.ts'

/** A request of a scene's caller, at a path below its collection. */
export type Part = Omit<Asked, 'as' | 'url'> & { readonly at?: string }

/** Sends requests about one collection as its caller. */
export function askerOf({ trial, me, base }: Scene) {
  return ({ at = '', ...request }: Part): Promise<Answer> =>
    trial.ask({ as: me, url: base + at, ...request })
}

/** Notes a law that does not hold. */
export function hold({ trial }: Scene, law: string, isHeld: boolean, detail: () => string): void {
  if (!isHeld) trial.note(law, detail())
}

/** Notes a law where two values differ. */
export function holdEqual(scene: Scene, law: string, actual: unknown, expected: unknown): void {
  const lineOf = (value: unknown) => JSON.stringify(value)?.slice(0, 900)
  const detail = () => `expected ${lineOf(expected)}\n      actual   ${lineOf(actual)}`
  hold(scene, law, isDeepStrictEqual(actual, expected), detail)
}

/** Notes a law where a response has none of some statuses. */
export function holdStatus(scene: Scene, law: string, answer: Answer, ...statuses: number[]): void {
  hold(
    scene,
    law,
    statuses.includes(answer.status),
    () => `expected ${statuses}: ${textOf(answer)}`,
  )
}

/** Tells whether an operation is offered, by the declaration. */
export function offers({ trial }: Scene, kind: string): boolean {
  const { without } = trial.contract.row
  if (without === kind) return false
  return (
    !(kind === 'patch' && without === 'update') &&
    !(kind === 'patchMany' && without === 'updateMany') &&
    !(kind === 'deleteMany' && without === 'delete')
  )
}

/** Tells whether a middleware refuses deletions. */
export function isForbidden({ trial }: Scene): boolean {
  return trial.contract.row.middleware === 'refusing'
}

/** The fields that a write changes though the client did not. */
export function movingIn({ trial, level }: Scene): readonly string[] {
  const { row } = trial.contract
  const touched = row.server === 'touched' ? ['made_at'] : []
  return ['revision', ...touched].flatMap(level.namesOf)
}

/** Returns an item without some members. */
export function without(item: unknown, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(Object(item)).filter(([name]) => !names.includes(name)))
}

/** The path of an item below its collection. */
export const at = ({ id }: Item): string => `/${encodeURIComponent(String(id))}`
