import { isRecord } from '../../model/declared.ts'
import { maxFields } from '../bounds.ts'
import { broken, expectProblem, unfit } from '../expect.ts'
import type { Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { workshopOf } from './create.ts'

/** What a body may be. */
export const bodyRules: readonly Rule[] = [
  {
    id: 'body-type',
    words: 'A body has to be declared application/json: another type, or none, is 400.',
    needs: ['write'],
    async run(subject) {
      const body = JSON.stringify(await workshopOf(subject).draft())
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        undefined,
      ]) {
        const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
        await refused(subject, { body, headers }, 'unsupported_media_type')
      }
    },
  },
  {
    id: 'body-encoding',
    words: 'A body that is declared to be compressed is 400.',
    needs: ['write'],
    async run(subject) {
      const body = JSON.stringify(await workshopOf(subject).draft())
      await refused(
        subject,
        { body, headers: { ...declared, 'content-encoding': 'gzip' } },
        'unsupported_encoding',
      )
    },
  },
  {
    id: 'body-missing',
    words: 'Where a body belongs, none is 400.',
    needs: ['write'],
    async run(subject) {
      await refused(subject, { body: '', headers: declared }, 'body_missing')
    },
  },
  {
    id: 'json-invalid',
    words: 'A body that is no JSON is 400.',
    needs: ['write'],
    async run(subject) {
      for (const body of ['{', "{'a':1}", '{"a":1}}', 'undefined'])
        await refused(subject, { body, headers: declared }, 'json_invalid')
    },
  },
  {
    id: 'json-duplicate-key',
    words: 'A body with a key twice in an object is 400.',
    needs: ['write'],
    async run(subject) {
      const text = JSON.stringify(await workshopOf(subject).draft())
      const [first = '"a"'] = /"(?:[^"\\]|\\.)*"/.exec(text) ?? []
      const body = `{${first}:1,${text.slice(1)}`
      await refused(subject, { body, headers: declared }, 'json_duplicate_key')
    },
  },
  {
    id: 'json-proto',
    words: 'A body with the key "__proto__" is 400.',
    needs: ['write'],
    async run(subject) {
      const text = JSON.stringify(await workshopOf(subject).draft())
      await refused(
        subject,
        { body: `{"__proto__":{"a":1},${text.slice(1)}`, headers: declared },
        'json_forbidden_key',
      )
    },
  },
  {
    id: 'json-too-deep',
    words: 'A body that is nested a thousand levels deep is 400.',
    needs: ['write'],
    async run(subject) {
      const body = `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`
      await refused(subject, { body, headers: declared }, 'json_too_deep')
    },
  },
  {
    id: 'item-no-object',
    words: 'A body that is no object is no item: 422.',
    needs: ['write'],
    async run(subject) {
      for (const body of ['[]', '"a"', '5', 'null'])
        await refused(subject, { body, headers: declared }, 'validation_failed')
    },
  },
  {
    id: 'item-faults',
    words: 'A field that cannot be is 422, and "issues" points to it.',
    needs: ['write'],
    async run(subject) {
      const { path, draft } = workshopOf(subject)
      const sample = await draft()
      for (const field of Object.keys(sample).slice(0, maxFields)) {
        const exchange = await subject.ask('POST', path, {
          body: { ...sample, [field]: { nounful: [true] } },
        })
        if (exchange.answer.status < 300) continue
        expectProblem(exchange, 'validation_failed')
        if (pointsTo(exchange.answer.json, `/${field}`)) return
        broken(exchange, `No issue points to "/${field}".`)
      }
      unfit('Its fields take any value.')
    },
  },
]

const declared: Readonly<Record<string, string>> = { 'content-type': 'application/json' }

async function refused(
  subject: Subject,
  sent: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  code: Parameters<typeof expectProblem>[1],
): Promise<void> {
  const exchange = await subject.ask('POST', workshopOf(subject).path, sent)
  if (exchange.answer.status === 405) unfit('Items cannot be created here.')
  expectProblem(exchange, code)
}

function pointsTo(json: unknown, pointer: string): boolean {
  const issues = isRecord(json) ? json.issues : undefined
  if (!Array.isArray(issues)) return false
  return issues.some((issue: unknown) => isRecord(issue) && `${issue.pointer}`.startsWith(pointer))
}
