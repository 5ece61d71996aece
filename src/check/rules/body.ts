import type { CheckedCollection } from '../collection.ts'
import { expectProblem, fail, type ProblemCodes, skip } from '../expect.ts'
import { maxFields } from '../limits.ts'
import { defineRules, type RuleRow } from '../rule.ts'
import { type ItemDraft, pointersIn } from '../writable.ts'
import { expectRefusals, writableOf } from './writing.ts'

/** Rules about request bodies. */
export const bodyRules = defineRules(['write'], {
  'body-type': {
    text: 'A body must be declared application/json: another type, or none, gives 400.',
    async run(collection) {
      const body = await draftText(collection)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', latin1, undefined]) {
        const headers: Headers = type === undefined ? {} : { 'content-type': type }
        await expectRefused(collection, { body, headers }, ['unsupported_media_type'])
      }
    },
  },
  'body-encoding': {
    text: 'A body with "Content-Encoding" gives 400.',
    async run(collection) {
      const headers = { ...declared, 'content-encoding': 'gzip' }
      const body = await draftText(collection)
      await expectRefused(collection, { body, headers }, ['unsupported_encoding'])
    },
  },
  'body-missing': bodyRule('A missing body gives 400.', 'body_missing', ['']),
  'json-invalid': bodyRule('A body that is no JSON gives 400.', 'json_invalid', [
    '{',
    "{'a':1}",
    '{"a":1}}',
    'undefined',
  ]),
  'json-duplicate-key': {
    text: 'A body with a duplicate key in an object gives 400.',
    async run(collection) {
      const text = await draftText(collection)
      const [first = '"a"'] = /"(?:[^"\\]|\\.)*"/.exec(text) ?? []
      const body = `{${first}:1,${text.slice(1)}`
      await expectRefused(collection, { body }, ['json_duplicate_key'])
    },
  },
  'json-proto': {
    text: 'A body with the key "__proto__" gives 400.',
    async run(collection) {
      const body = `{"__proto__":{"a":1},${(await draftText(collection)).slice(1)}`
      await expectRefused(collection, { body }, ['json_forbidden_key'])
    },
  },
  'json-too-deep': bodyRule(
    'A body with a thousand levels of nesting gives 400.',
    'json_too_deep',
    [`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`],
  ),
  'item-no-object': bodyRule('A body that is no object gives 422.', 'validation_failed', [
    '[]',
    '"a"',
    '5',
    'null',
  ]),
  'item-faults': {
    text: 'An invalid field gives 422, and "issues" points to it.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      const sample: ItemDraft = await draft()
      for (const field of Object.keys(sample).slice(0, maxFields)) {
        const body = { ...sample, [field]: { nounful: [true] } }
        const response = await collection.send('POST', path, { body })
        if (response.status < 300) continue
        expectProblem(response, 'validation_failed')
        if (pointersIn(response.json).some((pointer) => pointer.startsWith(`/${field}`))) return
        fail(response, `No issue points to "/${field}".`)
      }
      skip('Its fields accept any value.')
    },
  },
})

type Headers = Readonly<Record<string, string>>

const latin1 = 'application/json; charset=latin1'
const declared: Headers = { 'content-type': 'application/json' }

function bodyRule(text: string, code: ProblemCodes[0], bodies: readonly string[]): RuleRow {
  return {
    text,
    async run(collection) {
      for (const body of bodies) await expectRefused(collection, { body }, [code])
    },
  }
}

async function draftText(collection: CheckedCollection): Promise<string> {
  return JSON.stringify(await writableOf(collection).draft())
}

function expectRefused(
  collection: CheckedCollection,
  { body, headers = declared }: { readonly body: string; readonly headers?: Headers },
  codes: ProblemCodes,
): Promise<void> {
  const { path } = writableOf(collection)
  return expectRefusals(collection, [{ method: 'POST', path, body, headers, codes }])
}
