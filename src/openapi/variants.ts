import { type Bodies, requestBodyOf } from './bodies.ts'
import { withEnd } from './ending.ts'
import type { OpenApiOptions } from './options.ts'
import { type ItemForms, type ResponseKit, successResponses } from './responses.ts'
import { refTo } from './schemas.ts'
import { hasDryStatus, type OperationAt, parametersNaming, type Service } from './source.ts'
import type { Node } from './walk.ts'

/** The parts of the document that variants of an operation use. */
interface VariantKit extends ResponseKit {
  readonly bodies: Bodies
  readonly service: Service
  readonly options: Pick<OpenApiOptions, 'arrays'>
}

/** Returns an operation as the document describes it: one new item, unless it has unions. */
export function describedAs(operation: OperationAt, { options }: VariantKit): OperationAt {
  const isOne = operation.sends === 'any' && options.arrays !== 'union'
  return isOne ? { ...operation, sends: 'one' } : operation
}

/** Returns the items in the responses of an operation, as the document describes them. */
export function itemFormsOf(operation: OperationAt, kit: VariantKit): ItemForms {
  const schema = wholeOf(operation, kit)
  if (kit.options.arrays !== 'union') return { success: schema, dryRun: schema }
  const choice = choiceOf(operation, kit)
  return { success: choice ? { anyOf: [schema, choice] } : schema, dryRun: draftOf(operation, kit) }
}

/**
 * Returns the extensions of an operation. Each describes the body and the success responses of some
 * requests: an array of new items, `fields`, `dry_run`.
 */
export function extensionsOf(operation: OperationAt, kit: VariantKit): Node {
  if (kit.options.arrays === 'union') return {}
  return {
    'x-nounful-many': operation.sends === 'any' ? manyOf(operation, kit) : undefined,
    'x-nounful-fields': fieldsOf(operation, kit),
    'x-nounful-dry-run': hasDryStatus(operation) ? dryRunOf(operation, kit) : undefined,
  }
}

function manyOf(operation: OperationAt, kit: VariantKit): Node {
  const array: OperationAt = { ...operation, sends: 'many' }
  const forms = { success: wholeOf(operation, kit), dryRun: draftOf(operation, kit) }
  const body: Node = Object(requestBodyOf(array, kit))
  const naming = { name: nameOf('many', operation, kit), key: JSON.stringify(body) }
  const requestBody = kit.components.refer('requestBodies', naming, () => body)
  return { requestBody, responses: responsesOf('many', { operation: array, forms }, kit) }
}

function fieldsOf(operation: OperationAt, kit: VariantKit): Node | undefined {
  const choice = choiceOf(operation, kit)
  const forms = choice && { success: choice, dryRun: choice }
  return forms && { responses: responsesOf('fields', { operation, forms }, kit) }
}

function dryRunOf(operation: OperationAt, kit: VariantKit): Node {
  const draft = draftOf(operation, kit)
  const single: OperationAt = { ...operation, sends: 'one' }
  const forms = { success: draft, dryRun: draft }
  const { 200: response } = responsesOf('dry_run', { operation: single, forms }, kit)
  return { responses: { 200: response } }
}

interface Variant {
  readonly operation: OperationAt
  readonly forms: ItemForms
}

function responsesOf(
  word: string,
  { operation, forms }: Variant,
  kit: VariantKit,
): Readonly<Record<string, Node>> {
  const responses = successResponses(operation, forms, kit)
  const ended = withEnd(responses, operation.collection, kit.components)
  const name = nameOf(word, operation, kit)
  return Object.fromEntries(
    Object.entries(ended).map(([status, response]) => {
      const naming = { name, key: JSON.stringify(response) }
      return [status, kit.components.refer('responses', naming, () => response)]
    }),
  )
}

function nameOf(word: string, { collection }: OperationAt, { items }: VariantKit): string {
  return `${items.nameOf(collection.resource)}.${word}`
}

function isIncluding(operation: OperationAt): boolean {
  return parametersNaming('includes', operation).length > 0
}

function wholeOf(operation: OperationAt, { items }: VariantKit): Node {
  const { collection } = operation
  return isIncluding(operation)
    ? items.withIncluded(collection)
    : refTo(items.nameOf(collection.resource))
}

function draftOf({ collection }: OperationAt, { items }: VariantKit): Node {
  return items.draftOf(collection.resource)
}

// An item with the fields that a client chooses.
function choiceOf(operation: OperationAt, { items }: VariantKit): Node | undefined {
  if (parametersNaming('fields', operation).length === 0) return undefined
  return items.choiceOf(operation.collection, isIncluding(operation) ? 'included' : 'none')
}
