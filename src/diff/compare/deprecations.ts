import { membersOf, propertiesOf } from '../../contract/schema/json-schema.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import { sortedTexts } from '../canonical.ts'
import type { SchemaChange } from '../change.ts'
import type { SchemaPair } from '../schema-changes.ts'

/** Compares which fields of a schema are deprecated. */
export function compareDeprecations({ old, new: after }: SchemaPair): readonly SchemaChange[] {
  const from = deprecatedIn(old)
  const to = deprecatedIn(after)
  return sortedTexts([...from.keys(), ...to.keys()]).flatMap((at) => {
    const was = from.get(at)
    const is = to.get(at)
    if (was === undefined || is === undefined || was === is) return []
    const rule = is ? 'field-deprecated' : 'field-undeprecated'
    return [{ rule, at, from: was, to: is, verdict: 'fine' } as const]
  })
}

/** Returns the places of the fields of a schema, and whether each is deprecated. */
export function deprecatedIn(root: object): ReadonlyMap<string, boolean> {
  const fields = new Map<string, boolean>()
  const visit = (schema: object, at: string, outer: readonly object[]): void => {
    if (outer.includes(schema)) return
    for (const member of membersOf(schema, root)) {
      const inner = [...outer, schema]
      for (const [name, property] of propertiesOf(member)) {
        const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
        fields.set(place, fieldOf(property, 'deprecated') === true)
        visit(property, place, inner)
      }
      const items = fieldOf(member, 'items')
      if (isRecord(items)) visit(items, `${at}/-`, inner)
    }
  }
  visit(root, '', [])
  return fields
}
