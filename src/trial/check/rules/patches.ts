import { isSame } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { type CheckedCollection, parentOf } from '../collection.ts'
import { maxTriedFields } from '../limits.ts'
import { expect, fail, invalidValue, otherTypes, skip, skipUnsupported } from '../message.ts'
import { absentId, absentName } from '../path.ts'
import {
  defineRules,
  expectPatchOf,
  expectUnchanged,
  patchFor,
  patchTypes,
  pathThroughOther,
  postItem,
  postItems,
  writableOf,
} from '../rule.ts'

/** Rules about the effect of PATCH on an item. */
export const patchRules = defineRules(['write'], {
  patch: {
    text: 'PATCH on an item changes only the fields that it names: 200 with the whole item.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const change = await patchFor(collection, item)
      const response = await collection.send('PATCH', path, { body: change.patch })
      const patched = expectPatchOf(response, item, change)
      expect.body(await collection.send('GET', path), patched, 'the item that PATCH returned')
    },
  },
  'patch-types': {
    text: `PATCH on an item takes ${patchTypes.join(' and ')}.`,
    async run(collection) {
      const { item, path } = await postItem(collection)
      for (const type of patchTypes) {
        const change = await patchFor(collection, item)
        const headers = { 'content-type': type }
        const response = await collection.send('PATCH', path, { body: change.patch, headers })
        expectPatchOf(response, item, change)
      }
    },
  },
  'patch-null': {
    text: 'null in a PATCH clears an optional field.',
    async run(collection) {
      const { path, field } = await postOptional(collection)
      const response = await collection.send('PATCH', path, { body: { [field]: null } })
      expect.supported(response, 200)
      const patched = expect.item(response)
      if (!isMissing(patched[field])) fail(response, `The item still has a "${field}".`)
      expect.body(await collection.send('GET', path), patched, 'the item that PATCH returned')
    },
  },
  'patch-arrays': {
    text: 'PATCH replaces an array as a whole.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const draft = await writableOf(collection).draft()
      for (const field of Object.keys(draft)) {
        const stored = item[field]
        if (!Array.isArray(stored) || stored.length === 0) continue
        const body = { [field]: stored.slice(1) }
        const response = await collection.send('PATCH', path, { body })
        if (response.status === 422) continue
        expect.supported(response, 200)
        expect.body(response, { ...expect.item(response), ...body }, 'the item with the array')
        return expect.body(
          await collection.send('GET', path),
          response.json,
          'the item that PATCH returned',
        )
      }
      skip('No draft of its items has an array that may be shorter.')
    },
  },
  'patch-unchanged': {
    text: 'A PATCH that changes nothing leaves the item and its ETag as they are.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const before = await collection.send('GET', path)
      const [field = 'id'] = Object.keys(await writableOf(collection).draft())
      const { [field]: value = null } = item
      for (const body of [{}, { [field]: value }]) {
        expect.supported(await collection.send('PATCH', path, { body }), 200)
        const after = await collection.send('GET', path)
        expect.body(after, before.json, 'the item as it was')
        if (after.headers.etag !== before.headers.etag) fail(after, 'The ETag is another one.')
      }
    },
  },
  'patch-old-etag': {
    text: 'PATCH honours "If-Match": with an old ETag it gives 409 and changes nothing.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const { etag } = (await collection.send('GET', path)).headers
      if (etag === undefined) skip('Its items have no ETag.')
      const headers = { 'if-match': etag }
      const change = await patchFor(collection, item)
      const response = await collection.send('PATCH', path, { body: change.patch, headers })
      const patched = expectPatchOf(response, item, change)
      const { patch: body } = await patchFor(collection, patched)
      const refused = await collection.send('PATCH', path, { body, headers })
      expect.problem(refused, 'precondition_failed')
      const read = await collection.send('GET', path)
      expect.status(read, 200)
      expect.body(read, patched, 'the item as it was')
    },
  },
})

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

// Creates an item with a field that the server lets it be without. PUT shows that.
async function postOptional(
  collection: CheckedCollection,
): Promise<{ readonly path: string; readonly field: string }> {
  const { send } = collection
  const { item, path } = await postItem(collection)
  const draft = await writableOf(collection).draft()
  for (const field of Object.keys(draft).slice(0, maxTriedFields)) {
    const { [field]: value, ...body } = draft
    if (isMissing(item[field]) || isMissing(value)) continue
    const without = await send('PUT', path, { body })
    if (without.status !== 200 || !isMissing(expect.item(without)[field])) continue
    const restored = await send('PUT', path, { body: draft })
    if (restored.status === 200 && isSame(expect.item(restored)[field], value))
      return { path, field }
  }
  return skip('The server accepts no PUT without one of the fields.')
}

const declared = { 'content-type': 'application/json' }
const failing = [{ 'if-match': `"${absentName}"` }, { 'if-none-match': '*' }]

/** Rules about a PATCH that the server refuses. It must change nothing. */
export const patchFaultRules = defineRules(['write'], {
  'patch-type': {
    text: 'A PATCH of another type than these, or of none, gives 400.',
    creates: 1,
    send({ drafts: [draft] }) {
      const types = ['application/json-patch+json', ...otherTypes]
      const fields = [...types.map((type) => ({ 'content-type': type })), {}]
      const body = JSON.stringify(draft)
      return fields.map((headers) => ({ request: 'PATCH {new}', body, headers }))
    },
    expect: 'unsupported_media_type',
  },
  'patch-json': {
    text: 'A PATCH without JSON, or too deep, or with a duplicate or forbidden key gives 400.',
    creates: 1,
    send: [
      { ...patches(''), expect: 'body_missing' },
      { ...patches('{"a":1'), expect: 'json_invalid' },
      { ...patches('{"a":1,"a":2}'), expect: 'json_duplicate_key' },
      { ...patches('{"__proto__":{"a":1}}'), expect: 'json_forbidden_key' },
      patches(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`),
    ],
    expect: 'json_too_deep',
  },
  'patch-no-object': {
    text: 'A PATCH on an item that is no object gives 422.',
    creates: 1,
    send: ['[]', '[{}]', '"a"', '5', 'null'].map(patches),
    expect: 'validation_failed',
  },
  'patch-faults': {
    text: 'A PATCH with an invalid field gives 422, and "issues" points to it.',
    async run(collection) {
      const { created, drafts } = await postItems(collection, 1)
      const [{ id = absentName } = {}] = created
      const path = itemPath(writableOf(collection).path, id)
      for (const field of Object.keys(drafts[0] ?? {}).slice(0, maxTriedFields)) {
        const body = { ...drafts[0], [field]: invalidValue }
        const response = await collection.send('PATCH', path, { body })
        skipUnsupported(response)
        if (response.status < 300) continue
        expect.problem(response, 'validation_failed')
        expect.pointer(response, `/${field}`)
        return expectUnchanged(collection, created)
      }
      skip('Its fields accept any value.')
    },
  },
  'patch-read-only': {
    text: 'A PATCH that changes a read-only field gives 422; an old revision gives 409.',
    creates: 1,
    send({ created: [item], readOnly }) {
      const fields = readOnly.filter((field) => item !== undefined && Object.hasOwn(item, field))
      if (fields.length === 0) skip('Its items have no read-only field.')
      return fields.map((field) => ({
        request: 'PATCH {new}',
        body: { [field]: otherValue(item?.[field]) },
      }))
    },
    expect: ['validation_failed', 'precondition_failed'],
  },
  'patch-id-mismatch': {
    text: 'PATCH with the id of another item gives 409.',
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) => [
      { request: 'PATCH {new}', body: { ...draft, id: absentId(item?.id) } },
    ],
    expect: 'id_mismatch',
  },
  'patch-absent': {
    text: 'PATCH on an unknown id gives 404 and creates nothing.',
    send: async (collection) => [
      { request: 'PATCH {new}', body: await writableOf(collection).draft() },
      { request: '{new}', expect: 404 },
    ],
    expect: 'not_found',
  },
  'patch-condition': {
    text: 'A PATCH whose condition fails gives 409 and changes nothing.',
    creates: 1,
    send: ({ drafts: [body] }) =>
      failing.map((headers) => ({ request: 'PATCH {new}', body, headers })),
    expect: 'precondition_failed',
  },
  'patch-parameter': {
    text: 'A PATCH with an unknown parameter gives 400 and changes nothing.',
    creates: 1,
    send: ({ drafts: [body] }) => [
      { request: `PATCH {new}?${absentName}=1`, body },
      { request: `PATCH {new}?id=${absentName}`, body },
    ],
    expect: 'unknown_parameter',
  },
  'patch-slash': {
    text: 'PATCH on an item with a trailing slash gives 400: URL parsers leave it after "..".',
    creates: 1,
    send: ({ drafts: [body] }) => [{ request: 'PATCH {new}/', body }],
    expect: 'bad_path',
  },
  'patch-scope': {
    text: 'PATCH on an item through another parent gives 404.',
    needs: ['parent'],
    creates: 1,
    send: (subject) => [{ request: `PATCH ${pathThroughOther(subject)}`, body: subject.drafts[0] }],
    expect: ['not_found', 'validation_failed'],
  },
  'patch-owner': {
    text: 'A PATCH that names another parent gives 422.',
    needs: ['parent'],
    creates: 1,
    send(subject) {
      const { field = skip("The template does not name the field of the parent's id.") } =
        parentOf(subject)
      const [item] = subject.created
      return [{ request: 'PATCH {new}', body: { [field]: absentId(item?.[field]) } }]
    },
    expect: 'validation_failed',
  },
})

function patches(body: string) {
  return { request: 'PATCH {new}', body, headers: declared }
}

function otherValue(value: unknown): unknown {
  return typeof value === 'number' ? value + 1 : absentName
}
