import { bodies } from '../../../convention/operations.ts'
import { itemPath } from '../../../wire/path.ts'
import { prepareBulk } from '../bulk.ts'
import { expectBody, expectIds, expectItems, expectProblem, idTextsOf } from '../expect.ts'
import { expectPatched, patchFor, patchTypes } from '../patching.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import { absentId, expectSupported, expectUnchanged, skipUnsupported } from '../writing.ts'

const itemTypes = patchTypes.filter((type) => !bodies.patches.types.some((own) => own === type))

/**
 * Rules about PATCH on a collection. They only run where all items belong to the check, as those of
 * PUT.
 */
export const bulkPatchRules = defineRules(['write', 'own'], {
  'bulk-patch': {
    text: 'PATCH on a collection changes exactly the named items, and returns them in that order.',
    async run(collection) {
      const { send } = collection
      const { items, path } = await prepareBulk(collection, 3)
      const [first, second, third] = items
      if (!first || !second || !third) return
      const ordered = [second, first]
      const changes = [await patchFor(collection, second), await patchFor(collection, first)]
      const body = changes.map(({ patch }, index) => ({ ...patch, id: ordered[index]?.id }))
      const response = await send('PATCH', path, { body })
      expectSupported(response, 200)
      const patched = expectItems(response)
      expectIds(response, idTextsOf(ordered))
      for (const [index, change] of changes.entries())
        expectPatched(response, patched[index], change)
      for (const item of patched)
        expectBody(await send('GET', itemPath(path, item.id)), item, 'the item that PATCH returned')
      await expectUnchanged(collection, [third])
    },
  },
  'bulk-patch-whole-or-not': {
    text: 'A bulk of patches changes all items or none: an unknown id gives 404, a fault 422.',
    async run(collection) {
      const { items, bodies: sent, path } = await prepareBulk(collection, 2)
      const unknown = { ...sent[1], id: absentId(items[1]?.id) }
      for (const [second, code] of [
        [unknown, 'not_found'],
        [5, 'validation_failed'],
      ] as const) {
        const response = await collection.send('PATCH', path, { body: [sent[0], second] })
        skipUnsupported(response)
        expectProblem(response, code)
        await expectUnchanged(collection, items)
      }
    },
  },
  'bulk-patch-ids': {
    text: 'A missing or repeated id in a bulk of patches gives 422.',
    creates: 1,
    send({ created: [item], drafts: [draft] }) {
      const body = { ...draft, id: item?.id }
      const lists = [[body, body], [{ ...draft, id: undefined }]]
      return lists.map((list) => ({ request: 'PATCH {own}', body: list }))
    },
    expect: 'validation_failed',
  },
  'bulk-patch-no-array': {
    text: 'A bulk of patches that is no array gives 422.',
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) => [
      { request: 'PATCH {own}', body: { ...draft, id: item?.id } },
    ],
    expect: 'validation_failed',
  },
  'bulk-patch-empty': {
    text: 'A bulk without patches gives [], and changes nothing.',
    async run(collection) {
      const { items, path } = await prepareBulk(collection, 1)
      const response = await collection.send('PATCH', path, { body: [] })
      expectSupported(response, 200)
      expectBody(response, [], '[]')
      await expectUnchanged(collection, items)
    },
  },
  'bulk-patch-type': {
    text: `A bulk of patches is no ${itemTypes.join()}: that gives 400.`,
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) =>
      itemTypes.map((type) => ({
        request: 'PATCH {own}',
        body: [{ ...draft, id: item?.id }],
        headers: { 'content-type': type },
      })),
    expect: 'unsupported_media_type',
  },
  'bulk-patch-parameter': {
    text: 'PATCH on a collection with a filter gives 400 and changes nothing.',
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) =>
      [`q=${absentName}`, `id=${absentName}`].map((query) => ({
        request: `PATCH {own}?${query}`,
        body: [{ ...draft, id: item?.id }],
      })),
    expect: 'unknown_parameter',
  },
  'bulk-patch-slash': {
    text: 'PATCH on a collection with a trailing slash gives 400: an id may have been empty.',
    creates: 1,
    send: [{ request: 'PATCH {own}/', body: [] }],
    expect: 'bad_path',
  },
})
