import { isConditional } from '../convention/kinds.ts'
import { operations } from '../convention/operations.ts'
import { exactCount } from '../wire/conditions.ts'
import { formatPrefer } from '../wire/prefer.ts'
import type { Components } from './components.ts'
import type { Node } from './json-schema.ts'
import { creatingKindIn, isCountable, isKeyed, type OperationAt } from './source.ts'

const matches = {
  'If-Match': 'The `ETag` that the item must have, or `*`. Otherwise 409.',
  'If-None-Match':
    'An `ETag` that the item must not have, or `*`: the item must not exist. Otherwise 409.',
}

/** Returns the header parameters of an operation. */
export function headerParameters(operation: OperationAt, components: Components): readonly Node[] {
  const { kind, collection } = operation
  if (isCountable(operation)) return [countParameter(components)]
  if (isConditional(kind, 'bound')) return [preferParameter(operation, components)]
  if (isKeyed(operation)) return [keyParameter(components)]
  const isOfItem = operations[kind].target === 'item' && isConditional(kind, 'revision')
  // Each PUT that creates can be confined to one of both.
  const hasConditions =
    collection.resource.revision !== undefined || creatingKindIn(operation) !== undefined
  if (!isOfItem || !hasConditions) return []
  return Object.entries(matches).map(([name, description]) =>
    components.refer('parameters', name, () => headerParameter(name, description)),
  )
}

function keyParameter(components: Components): Node {
  const description =
    'Makes a repetition safe: the key becomes the id of the item. Send a new key for each new ' +
    'item, and the same one to repeat the request. An array and a body with an `id` take none.'
  return components.refer('parameters', 'Idempotency-Key', () => ({
    ...headerParameter('Idempotency-Key', description),
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  }))
}

function countParameter(components: Components): Node {
  const description = `\`${exactCount}\` adds \`X-Total-Count\` to the response (RFC 7240).`
  return components.refer('parameters', 'Prefer.count', () =>
    headerParameter('Prefer', description),
  )
}

function preferParameter({ kind, collection }: OperationAt, components: Components): Node {
  const example = formatPrefer(new Map([['max-affected', '10']]))
  const description = `\`${example}\` deletes at most 10 items (RFC 7240), or none with 409.`
  if (!collection.resource.bounded && !operations[kind].selects)
    return components.refer('parameters', 'Prefer', () => headerParameter('Prefer', description))
  return components.refer('parameters', 'Prefer.bounded', () => ({
    ...headerParameter('Prefer', `${description} Without it, 409.`),
    required: true,
    example,
  }))
}

// Try-out pages send the example of an optional header unasked.
function headerParameter(name: string, description: string): Node {
  return { name, in: 'header', description, schema: { type: 'string' } }
}
