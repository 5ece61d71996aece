import type { Json } from '../../contract/schema/schema.ts'
import { parsePointer } from '../../wire/pointer.ts'
import { canonicalText } from '../canonical.ts'
import type { SchemaChange } from '../change.ts'
import { ruleOf } from '../rules.ts'
import { compareSchemas } from '../schema-changes.ts'
import type { ApiDocument } from './api-document.ts'
import { type ClosedPair, createComponentComparison } from './component-comparison.ts'
import { componentOf } from './component-place.ts'
import { isLarge } from './cut-schema.ts'
import { type DiscriminatorChange, discriminatorChanges } from './discriminators.ts'
import type { SchemaUse } from './normalise-schema.ts'
import {
  createSchemaBook,
  isAlike,
  type OwnedPair,
  type OwnedSchema,
  rootOf,
  type SchemaBook,
} from './schema-book.ts'

/** Two documents of one API. */
export interface DocumentPair {
  readonly old: ApiDocument
  readonly new: ApiDocument
}

/** The schemas at one place of both documents, as they are written there. */
interface PlacedSchemas {
  readonly old: Json | undefined
  readonly new: Json | undefined
  readonly use: SchemaUse
  /** Changes both schemas before they are compared. */
  readonly adjust?: (pair: OwnedPair) => OwnedPair
}

/** A change of a schema, with the rule's whole name. */
export interface PlacedChange extends SchemaChange {
  /** The component that both documents have at the place: `components/schemas/Pet /name`. */
  readonly shared: string | undefined
}

/** Reads and compares the schemas of two documents. */
export interface SchemaComparison {
  /** Reads a schema of one of the documents; `undefined` stands for any value. */
  read(given: Json | undefined, from: WrittenSource): OwnedSchema
  /** Compares the schemas at a place. */
  compare(placed: PlacedSchemas): readonly PlacedChange[]
}

/** The document of a schema, and its use there. */
interface WrittenSource {
  readonly document: 'old' | 'new'
  readonly use: SchemaUse
}

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
    if (isLarge(pair.old.components) || isLarge(pair.new.components)) {
      return compareComponents(pair, use).map(({ component, ...change }) => ({
        ...{ ...change, rule: ruleIn(use, change.rule) },
        ...(component === undefined
          ? { shared: sharedPlace(pair, change.at) }
          : placeIn(component, change.at)),
      }))
    }
    return compareClosed({ old: rootOf(pair.old), new: rootOf(pair.new), use }).map((change) => ({
      ...{ ...change, rule: ruleIn(use, change.rule), shared: sharedPlace(pair, change.at) },
    }))
  }
  return {
    read: (given, { document, use }) => books[document][use].read(given),
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
  const known = new Map<string, readonly SchemaChange[]>()
  return ({ old, new: next, use }) => {
    const texts = [canonicalText(old), canonicalText(next)]
    if (texts[0] === texts[1]) return []
    const key = [use, ...texts].join('\n')
    const changes = known.get(key) ?? compareSchemas({ old, new: next, side: use })
    known.set(key, changes)
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

// Some rules are the same for requests and items.
function ruleIn(use: SchemaUse, rule: string): string {
  const name = `${use}-${rule}`
  return ruleOf(name) === undefined && ruleOf(rule) !== undefined ? rule : name
}

function sharedPlace(pair: OwnedPair, at: string): string | undefined {
  const found = componentOf(pair, parsePointer(at))
  if (found === undefined) return undefined
  return `${placeOf(found.name)} ${found.rest}`.trim()
}

function placeOf(component: string): string {
  return component.startsWith('#/') ? component.slice(2) : `components/schemas/${component}`
}
