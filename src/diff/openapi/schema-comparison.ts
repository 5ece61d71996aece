import type { SchemaChange } from '../../schemas/change.ts'
import { compareSchemas } from '../../schemas/schema-changes.ts'
import { canonicalText, type JsonObject } from '../../sets/canonical.ts'
import { parsePointer } from '../../wire/pointer.ts'
import { ruleOfSide } from '../change.ts'
import type { ApiDocument } from './api-document.ts'
import {
  componentOf,
  cutSchema,
  type DiscriminatorChange,
  discriminatorChanges,
  isLarge,
} from './cut-schema.ts'
import type { DocumentPair, PlacedChange, SchemaComparison } from './pairs.ts'
import {
  createSchemaBook,
  isAlike,
  type OwnedPair,
  rootOf,
  type SchemaBook,
  type SchemaUse,
} from './schema-book.ts'

/** Makes the comparison of the schemas of two documents. It compares equal pairs once. */
export function createSchemaComparison(documents: DocumentPair): SchemaComparison {
  const booksOf = (document: ApiDocument): Readonly<Record<SchemaUse, SchemaBook>> => ({
    request: createSchemaBook(document, 'request'),
    item: createSchemaBook(document, 'item'),
  })
  const books = { old: booksOf(documents.old), new: booksOf(documents.new) }
  const compareClosed = createClosedComparison()
  const compareComponents = createComponentComparison(compareClosed)
  const changesOf = (pair: OwnedPair, use: SchemaUse): readonly PlacedChange[] => {
    const isOneByOne = isLarge(pair.old.components) || isLarge(pair.new.components)
    const changes: readonly ComponentChange[] = isOneByOne
      ? compareComponents(pair, use)
      : compareClosed({ old: rootOf(pair.old), new: rootOf(pair.new), use })
    return changes.map(({ component, ...change }) => ({
      ...{ ...change, rule: ruleOfSide(use, change.rule) },
      ...(component === undefined
        ? { shared: sharedPlace(pair, change.at) }
        : placeIn(component, change.at)),
    }))
  }
  return {
    read: (schema, { document, use }) => books[document][use].read(schema),
    compare({ use, adjust = (pair) => pair, ...written }) {
      const pair = adjust({
        old: books.old[use].read(written.old),
        new: books.new[use].read(written.new),
      })
      const renamed = discriminatorChanges(pair).map(formChange)
      return isAlike(pair.old, pair.new) ? renamed : [...renamed, ...changesOf(pair, use)]
    },
  }
}

// Compares equal pairs once.
function createClosedComparison(): (pair: ClosedPair) => readonly SchemaChange[] {
  const changesByPair = new Map<string, readonly SchemaChange[]>()
  return ({ old, new: next, use }) => {
    const texts = [canonicalText(old), canonicalText(next)]
    if (texts[0] === texts[1]) return []
    const key = [use, ...texts].join('\n')
    const changes = changesByPair.get(key) ?? compareSchemas({ old, new: next, side: use })
    changesByPair.set(key, changes)
    return changes
  }
}

function placeIn(component: string, at: string): Pick<PlacedChange, 'at' | 'shared'> {
  return {
    at: `in ${component} ${at}`.trim(),
    shared: `${placeOf(component)} ${at}`.trim(),
  }
}

function formChange({ component, from, to }: DiscriminatorChange): PlacedChange {
  return {
    rule: 'discriminator-changed',
    ...{ at: '', from, to, verdict: 'depends' },
    shared: component === undefined ? undefined : placeOf(component),
  }
}

function sharedPlace(pair: OwnedPair, at: string): string | undefined {
  const component = componentOf(pair, parsePointer(at))
  if (component === undefined) return undefined
  return `${placeOf(component.name)} ${component.pointer}`.trim()
}

function placeOf(component: string): string {
  return component.startsWith('#/') ? component.slice(2) : `components/schemas/${component}`
}

/** Two schemas that need no other text, and their use. */
interface ClosedPair {
  readonly old: JsonObject
  readonly new: JsonObject
  readonly use: SchemaUse
}

/** A change of a component, or of the schema itself. */
interface ComponentChange extends SchemaChange {
  /** `undefined` for the schema itself. */
  readonly component?: string | undefined
}

/** Compares the schemas at a place component by component, for many components. */
type CompareComponents = (pair: OwnedPair, use: SchemaUse) => readonly ComponentChange[]

interface Part {
  readonly changes: readonly ComponentChange[]
  /** The components to compare next. */
  readonly stubs: ReadonlySet<string>
}

const because = 'The schema has too many components to show a whole value.'

/**
 * Makes the comparison of schemas with many components. It compares each component once, so that
 * its time grows with their number, and not with the ways from one to another.
 */
function createComponentComparison(
  compare: (pair: ClosedPair) => readonly SchemaChange[],
): CompareComponents {
  const parts = new Map<string, Part>()
  return (pair, use) => {
    const common = new Set(
      [...pair.old.components.keys()].filter((name) => pair.new.components.has(name)),
    )
    const signature = [use, ...[...common].sort()].join('\n')
    const partOf = (component: string | undefined): Part => {
      const key = `${signature}\n\n${component}`
      const cachedPart = component === undefined ? undefined : parts.get(key)
      const part = cachedPart ?? comparePart({ pair, common, use, component }, compare)
      if (component !== undefined) parts.set(key, part)
      return part
    }
    const components = new Set<string | undefined>([undefined])
    const changes: ComponentChange[] = []
    // Grows while it is read.
    for (const component of components) {
      const part = partOf(component)
      changes.push(...part.changes)
      for (const stub of part.stubs) components.add(stub)
    }
    return changes
  }
}

interface PlacedPart {
  readonly pair: OwnedPair
  readonly common: ReadonlySet<string>
  readonly use: SchemaUse
  readonly component: string | undefined
}

function comparePart(
  { pair, common, use, component }: PlacedPart,
  compare: (pair: ClosedPair) => readonly SchemaChange[],
): Part {
  const cutOf = ({ schema, components }: OwnedPair['old']) => {
    const partSchema = component === undefined ? schema : (components.get(component)?.schema ?? {})
    return cutSchema(partSchema, { components, common })
  }
  const old = cutOf(pair.old)
  const next = cutOf(pair.new)
  const changes = compare({ old: old.schema, new: next.schema, use })
  return {
    stubs: new Set([...old.stubs, ...next.stubs]),
    // A stub is in no value of the API.
    changes: changes.map(({ witness: _, ...change }) => ({
      ...(change.verdict === 'fine' ? {} : { because }),
      ...change,
      component,
    })),
  }
}
