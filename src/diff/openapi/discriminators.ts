import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText } from '../canonical.ts'
import { childOf, entriesOf, textIn } from './json-node.ts'
import type { OwnedPair } from './schema-book.ts'

/** A discriminator that names the form of a value in another way. */
export interface DiscriminatorChange {
  /** The component of the discriminator; `undefined` for the schema itself. */
  readonly component: string | undefined
  readonly from: Json
  readonly to: Json
}

/**
 * Finds the discriminators that changed: another field, or another form for a name. A further name
 * is a further alternative of its schema.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#discriminator-object
 */
export function discriminatorChanges({
  old,
  new: next,
}: OwnedPair): readonly DiscriminatorChange[] {
  const own = { component: undefined, from: old.discriminator, to: next.discriminator }
  const shared = [...old.components].map(([component, { discriminator }]) => ({
    component,
    from: discriminator,
    to: next.components.get(component)?.discriminator ?? null,
  }))
  return [own, ...shared].filter(({ from, to }) => from !== null && to !== null && differ(from, to))
}

function differ(from: Json, to: Json): boolean {
  if (textIn(from, 'propertyName') !== textIn(to, 'propertyName')) return true
  return entriesOf(childOf(from, 'mapping')).some(([name, target]) => {
    const other = childOf(childOf(to, 'mapping'), name)
    return other !== undefined && canonicalText(other) !== canonicalText(target)
  })
}
