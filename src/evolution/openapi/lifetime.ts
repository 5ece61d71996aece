import type { Verdict } from '../change.ts'
import type { Lifetime } from './api-document.ts'

/** Tells what the end of a deprecated part means on a day: `fine` after its sunset. */
export function verdictOfEnd({ isDeprecated, sunset }: Lifetime, on: string): Verdict {
  const isOver = isDeprecated && sunset !== undefined && Date.parse(sunset) <= Date.parse(on)
  return isOver ? 'fine' : 'breaking'
}

/** Says why an end is fine or not; `undefined` where nothing announces it. */
export function reasonOfEnd({ isDeprecated, sunset }: Lifetime, on: string): string | undefined {
  if (!isDeprecated) return undefined
  if (sunset === undefined) return 'It is deprecated, but no `x-sunset` says until when.'
  const verdict = verdictOfEnd({ isDeprecated, sunset }, on)
  return verdict === 'fine' ? `Its sunset was ${sunset}.` : `It stays until ${sunset}.`
}
