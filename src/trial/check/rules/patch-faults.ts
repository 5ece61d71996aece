import { itemPath } from '../../../wire/path.ts'
import { expectProblem, skip } from '../expect.ts'
import { maxTriedFields } from '../limits.ts'
import { parentOf } from '../parent.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import {
  absentId,
  expectPointer,
  expectUnchanged,
  invalidValue,
  pathThroughOther,
  postItems,
  skipUnsupported,
  writableOf,
} from '../writing.ts'
import { otherTypes } from './create.ts'

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
        expectProblem(response, 'validation_failed')
        expectPointer(response, `/${field}`)
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
