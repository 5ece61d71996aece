import type { SchemaChange } from '../change.ts'
import type { BodyPlace } from './body-place.ts'
import { placesOffering } from './context.ts'
import { replacingKinds } from './fields.ts'
import type { Facts } from './found.ts'
import { keysOf } from './properties.ts'
import { describing, exchangeOf, offeredAt } from './shown.ts'
import { sampleOf } from './witness.ts'

/**
 * Returns the facts of a field that a PUT erases if its client does not know the field; `undefined`
 * for any other change.
 *
 * @see docs/versions.md, "Add a field to a version"
 */
export function judgedUpdate(
  { rule, at }: SchemaChange,
  place: BodyPlace,
): Partial<Facts> | undefined {
  const { pair, places, body } = place
  if (body !== 'update' || (rule !== 'field-added' && rule !== 'field-default-added'))
    return undefined
  if (placesOffering(places, replacingKinds) === undefined) return undefined
  const [top = '', ...inner] = keysOf(at)
  const { keep, readOnly } = pair.new
  if (readOnly.includes(top) || (keep.includes(top) && inner.length === 0)) return undefined
  const value = sampleOf(place.schemas.old)
  const because = '"keep" names whole fields of an item only'
  return {
    verdict: 'breaking',
    message: `a PUT without "${[top, ...inner].join('/')}" erases it`,
    witness:
      value === undefined
        ? describing(offeredAt(pair, places), `a body without "${top}"`)
        : exchangeOf(place, value),
    ...(inner.length > 0 && { because }),
  }
}
