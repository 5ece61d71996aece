import type { Verdict } from '../change.ts'
import type { EndNotice } from './api-document.ts'
import type { DocumentFinding, DocumentFindingParts } from './finding.ts'

/** Tells what the end of a deprecated part means on a day: `fine` after its sunset. */
export function verdictOfEnd({ isDeprecated, sunset }: EndNotice, on: string): Verdict {
  const isOver = isDeprecated && sunset !== undefined && Date.parse(sunset) <= Date.parse(on)
  return isOver ? 'fine' : 'breaking'
}

/** Says why an end is fine or not; `undefined` where nothing announces it. */
export function reasonOfEnd({ isDeprecated, sunset }: EndNotice, on: string): string | undefined {
  if (!isDeprecated) return undefined
  if (sunset === undefined) return 'It is deprecated, but no `x-sunset` says until when.'
  const verdict = verdictOfEnd({ isDeprecated, sunset }, on)
  return verdict === 'fine' ? `Its sunset was ${sunset}.` : `It stays until ${sunset}.`
}

/** Makes a finding about one operation, or about one parameter. */
export type MakeFinding = (rule: string, parts: DocumentFindingParts) => DocumentFinding

/** Compares how long an operation or a parameter stays. */
export function lifetimeChanges(
  subject: 'operation' | 'parameter',
  { old, new: next }: { readonly old: EndNotice; readonly new: EndNotice },
  find: MakeFinding,
): readonly DocumentFinding[] {
  const to = next.sunset ?? null
  if (!next.isDeprecated) {
    const message = `the ${subject} is no longer deprecated`
    return old.isDeprecated ? [find(`${subject}-undeprecated`, { message })] : []
  }
  if (!old.isDeprecated) {
    return [find(`${subject}-deprecated`, { to, message: `the ${subject} is deprecated` })]
  }
  if (old.sunset === next.sunset || old.sunset === undefined) return []
  const from = old.sunset
  if (next.sunset === undefined) {
    return [find('sunset-dropped', { from, message: `the ${subject} has no sunset any more` })]
  }
  // A text that is no date promises nothing.
  const isLater = !(Date.parse(next.sunset) < Date.parse(from))
  const message = `the sunset is ${next.sunset}, it was ${from}`
  return [find(isLater ? 'sunset-moved-later' : 'sunset-moved-earlier', { from, to, message })]
}
