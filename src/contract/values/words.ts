import { singularNounOf } from '../../convention/noun.ts'
import type { OperationKind } from '../../convention/operations.ts'
import { quote } from '../../convention/problem.ts'
import { lastNounOf } from '../resource/api.ts'
import type { Operation } from '../resource/operation.ts'

/** The path of a collection: `/companies/:company_id/employees`. */
interface AtPath {
  readonly path: string
}

/** The words around the id in the name of an item. */
interface IdFrame {
  readonly before: string
  readonly after: string
}

// By noun: a contract has few, and each is looked up in many requests.
const frames = new Map<string, IdFrame>()

/** Names an item in a message: `employee "7"`. A noun without a singular: `item "7" of staff`. */
export function nameItem(collection: AtPath, id: unknown): string {
  const noun = lastNounOf(collection)
  let frame = frames.get(noun)
  if (frame === undefined) {
    frame = frameOf(noun)
    frames.set(noun, frame)
  }
  const text = quote(typeof id === 'object' ? JSON.stringify(id) : String(id))
  return frame.before + text + frame.after
}

function frameOf(noun: string): IdFrame {
  const singular = toWords(singularNounOf(noun))
  const plural = toWords(noun)
  return singular === plural
    ? { before: 'item ', after: ` of ${plural}` }
    : { before: `${singular} `, after: '' }
}

const verbs: { readonly [Kind in OperationKind]: string } = {
  list: 'list',
  create: 'create',
  updateMany: 'replace',
  patchMany: 'change',
  deleteAll: 'delete',
  deleteMany: 'delete',
  read: 'read',
  update: 'replace',
  patch: 'change',
  delete: 'delete',
  first: 'read',
  last: 'read',
  count: 'count',
}

/** Says what a caller may not do: `You may not delete employees.` */
export function forbiddenText({ kind, path }: Pick<Operation, 'kind' | 'path'>): string {
  return `You may not ${verbs[kind]} ${toWords(lastNounOf({ path }))}.`
}

// `orderItems`, `order-items` → `order items`.
function toWords(noun: string): string {
  return noun
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()
}
