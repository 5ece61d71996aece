import type { Json } from '../../contract/schema/schema.ts'
import { parsePointer } from '../../wire/pointer.ts'
import { canonicalText } from '../canonical.ts'
import type { SchemaChange } from '../change.ts'
import { ruleOf } from '../rules.ts'
import { compareSchemas } from '../schema-changes.ts'
import type { JsonObject } from '../snapshot.ts'
import { type ApiDocument, type ApiOperation, groupBy } from './api-document.ts'
import {
  componentOf,
  cutSchema,
  type DiscriminatorChange,
  discriminatorChanges,
  isLarge,
} from './cut-schema.ts'
import {
  createSchemaBook,
  isAlike,
  type OwnedPair,
  type OwnedSchema,
  rootOf,
  type SchemaBook,
  type SchemaUse,
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
interface PlacedChange extends SchemaChange {
  /** The component that both documents have at the place: `components/schemas/Pet /name`. */
  readonly shared: string | undefined
}

/** Reads and compares the schemas of two documents. */
export interface SchemaComparison {
  /** Reads a schema of one of the documents; `undefined` stands for any value. */
  read(schema: Json | undefined, from: WrittenSource): OwnedSchema
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

// Some rules are the same for requests and items.
function ruleIn(use: SchemaUse, rule: string): string {
  const name = `${use}-${rule}`
  return ruleOf(name) === undefined && ruleOf(rule) !== undefined ? rule : name
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
  readonly component: string | undefined
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
    const partOf = (component: string): Part => {
      const key = `${signature}\n\n${component}`
      const componentPart = parts.get(key) ?? comparePart({ pair, common, use, component }, compare)
      parts.set(key, componentPart)
      return componentPart
    }
    const rootPart = comparePart({ pair, common, use, component: undefined }, compare)
    const waiting = [...rootPart.stubs]
    const seen = new Set(waiting)
    const changes = [...rootPart.changes]
    for (const name of waiting) {
      const componentPart = partOf(name)
      changes.push(...componentPart.changes)
      for (const stub of componentPart.stubs) {
        if (!seen.has(stub)) waiting.push(stub)
        seen.add(stub)
      }
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

/** An operation that both documents have. */
export interface OperationPair {
  readonly old: ApiOperation
  readonly new: ApiOperation
  /** The method and the path as the old document writes them: `GET /pets/{petId}`. */
  readonly place: string
  readonly schemas: SchemaComparison
  /** The day that ends are judged on: `2026-11-24`. */
  readonly on: string
}

/** The operations of two documents that stand for each other. */
interface OperationPairs {
  readonly pairs: readonly (readonly [old: ApiOperation, next: ApiOperation])[]
  readonly removed: readonly ApiOperation[]
  readonly added: readonly ApiOperation[]
}

/**
 * Returns a path template without the names of its parameters, which are in no request:
 * `/pets/{petId}` → `/pets/{}`.
 */
export function canonicalPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}')
}

/** Pairs the operations of two documents: those with equal templates first. */
export function pairOperations({ old, new: next }: DocumentPair): OperationPairs {
  return pairBy(old.operations, next.operations)
}

/** Pairs operations by method and path. */
export function pairBy(
  old: readonly ApiOperation[],
  next: readonly ApiOperation[],
): OperationPairs {
  const exact = match(old, next, ({ path }) => path)
  const renamed = match(exact.removed, exact.added, ({ path }) => canonicalPath(path))
  return { ...renamed, pairs: [...exact.pairs, ...renamed.pairs] }
}

function match(
  old: readonly ApiOperation[],
  next: readonly ApiOperation[],
  pathOf: (operation: ApiOperation) => string,
): OperationPairs {
  const keyOf = (operation: ApiOperation) => `${operation.method} ${pathOf(operation)}`
  const waiting = groupBy(next, keyOf)
  const pairs: (readonly [ApiOperation, ApiOperation])[] = []
  const removed: ApiOperation[] = []
  for (const oldOperation of old) {
    const newOperation = waiting.get(keyOf(oldOperation))?.shift()
    if (newOperation) pairs.push([oldOperation, newOperation])
    else removed.push(oldOperation)
  }
  return { pairs, removed, added: [...waiting.values()].flat() }
}

const maxText = 60

/** Tells a change of a schema: `max length lowered: it was 80, it is 60`. */
export function schemaMessage({ rule, from, to }: PlacedChange): string {
  const words = rule.replace(/^(?:request|item)-/, '').replaceAll('-', ' ')
  if (from === null && to === null) return words
  if (from === null) return `${words}: ${shortText(to)}`
  if (to === null) return `${words}: it was ${shortText(from)}`
  return `${words}: it was ${shortText(from)}, it is ${shortText(to)}`
}

/** Writes a JSON value on one line of at most 60 characters. */
export function shortText(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}
