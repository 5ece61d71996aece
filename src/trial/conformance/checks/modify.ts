import { nextTurn } from '../../../convention/awaitable.ts'
import { problem } from '../../../convention/problem.ts'
import {
  type Asking,
  type Checks,
  calls,
  checksOf,
  full,
  numbered,
  partial,
  three,
} from '../check.ts'
import { overwrite } from '../compare.ts'
import type { OperationInput } from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'

type Modifier = 'modify' | 'modifyMany'
type ChangeOne = (stored: Specimen) => Specimen | Promise<Specimen>

const modifiers: readonly Modifier[] = ['modify', 'modifyMany']
const errors = [new Error('of the function'), problem('validation_failed')]

/** Checks of `modify` and `modifyMany`. */
export const modifyChecks: Checks = {
  ...checksOf(modifiers, (method) => [
    `${method} stores what its function returns`,
    {
      rule: 'The function gets the stored item. The result is the whole new item, as stored.',
      needs: ['create', method, 'read'],
      *ask(): Asking {
        for (const fields of [full, { name: 'bare' }])
          for (const wait of [(item: Specimen) => item, inATurn]) {
            const [item = none] = yield calls.create(partial)
            yield modifying(method, item, (stored) => wait(replaced(stored, fields)))
          }
      },
    },
  ]),
  ...checksOf(modifiers, (method) => [
    `${method} passes on its function's error`,
    {
      rule: 'If the function throws, at once or later, the item stays and the error comes out.',
      needs: ['create', method, 'read'],
      items: [full],
      ask: (_, item) =>
        errors.flatMap((error) =>
          [(fail: () => never) => fail(), (fail: () => never) => nextTurn().then(fail)].map(
            (wait) =>
              modifying(method, item, (stored) =>
                wait(() => {
                  overwrite(stored)
                  throw error
                }),
              ),
          ),
        ),
    },
  ]),
  ...checksOf(modifiers, (method) => [
    `${method} writes nothing for no change`,
    {
      rule: 'If the function returns the item that it got, the revision stays too.',
      needs: ['create', method, 'read'],
      comparing: 'revisions',
      items: [full],
      ask: (_, item) =>
        [(stored: Specimen) => stored, inATurn].map((change) => modifying(method, item, change)),
    },
  ]),
  ...checksOf(modifiers, (method) => [
    `${method} sets a new revision`,
    {
      rule: 'Every change sets another revision. The function returns the item with the old one.',
      needs: ['create', method],
      comparing: 'revisions',
      items: [full],
      ask: (_, item) => [modifying(method, item, (stored) => ({ ...stored, name: 'new' }))],
    },
  ]),
  'modifyMany gives items in request order': {
    rule: 'The function gets the items in the order of `ids`, and so does the caller.',
    needs: ['create', 'modifyMany', 'read'],
    items: [...three, full],
    ask: (_, first, two, last) => [calls.modifyAll([last, first, two], { note: 'new' })],
  },
  'modifyMany writes only the items that change': {
    rule: 'Beside an item that changes, another one that the function returns keeps its revision.',
    needs: ['create', 'modifyMany', 'read'],
    comparing: 'revisions',
    items: three,
    ask: (all, _, two) => [
      {
        kind: 'patchMany',
        ids: all.map(({ id }) => id),
        changeMany: (stored) =>
          stored.flatMap((item) => (item?.id === two.id ? { ...item, note: 'new' } : (item ?? []))),
      },
    ],
  },
  'modifyMany takes a thousand items': {
    rule: '`modifyMany` changes 1,000 items, the default limit of a registry.',
    needs: ['create', 'modifyMany', 'read'],
    items: numbered(1000),
    ask: (all) => [calls.modifyAll(all, { note: 'new' })],
  },
}

const none: Specimen = { id: '', name: '' }

// The call that changes one item.
function modifying(method: Modifier, { id }: Specimen, change: ChangeOne): OperationInput {
  if (method === 'modify') return { kind: 'patch', id, change }
  const changeMany: OperationInput['changeMany'] = ([item]) => {
    const changed = item && change(item)
    return changed instanceof Promise
      ? changed.then((changedItem) => [changedItem])
      : changed
        ? [changed]
        : []
  }
  return { kind: 'patchMany', ids: [id], changeMany }
}

async function inATurn(item: Specimen): Promise<Specimen> {
  await nextTurn()
  return item
}

function replaced({ id, revision }: Specimen, fields: NewSpecimen): Specimen {
  return { ...fields, id, revision }
}
