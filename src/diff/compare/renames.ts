import { canonicalText } from '../canonical.ts'
import type { SchemaChange } from '../change.ts'
import type { SchemaPair } from '../schema-changes.ts'
import { schemaAt } from './properties.ts'

/** Says a field that was removed and one that was added as one, where their schemas are equal. */
export function withRenames(
  changes: readonly SchemaChange[],
  pair: SchemaPair,
): readonly SchemaChange[] {
  // A break of a request needs a witness, which the removed field has.
  const isShown = ({ witness }: SchemaChange) => pair.side === 'item' || witness !== undefined
  const gone = changes.filter((one) => one.rule === 'field-removed' && isShown(one))
  const come = changes.filter(({ rule }) => /^field-(?:required-|default-)?added$/.test(rule))
  const renames = gone.flatMap((one) => {
    const twins = come.filter((other) => isTwin(one, other, pair))
    const rivals = gone.filter((other) => twins[0] && isTwin(other, twins[0], pair))
    const [twin] = twins
    // Nobody can tell which of several is meant.
    return twin === undefined || twins.length > 1 || rivals.length > 1 ? [] : [{ one, twin }]
  })
  const said = new Set(renames.flatMap(({ one, twin }) => [one, twin]))
  const renamed = renames.map(({ one, twin }): SchemaChange => {
    const [from, to] = [lastOf(one.at), lastOf(twin.at)]
    return { ...one, rule: 'field-renamed', from, to, verdict: 'breaking' }
  })
  return [...renamed, ...changes.filter((change) => !said.has(change))]
}

function isTwin(gone: SchemaChange, come: SchemaChange, pair: SchemaPair): boolean {
  if (parentOf(gone.at) !== parentOf(come.at)) return false
  const old = schemaAt(pair.old, gone.at)
  const after = schemaAt(pair.new, come.at)
  return old !== undefined && after !== undefined && canonicalText(old) === canonicalText(after)
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}
