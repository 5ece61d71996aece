import { isSame } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import { maxFields } from '../bounds.ts'
import {
  broken,
  expectItem,
  expectProblem,
  expectSame,
  expectStatus,
  type Found,
  unfit,
} from '../expect.ts'
import type { Rule } from '../rule.ts'
import type { Exchange } from '../sent.ts'
import type { Subject } from '../subject.ts'
import { expectOffered } from '../workshop.ts'
import { absentId, expectKept, makeItem, workshopOf } from './create.ts'
import { nothing } from './list.ts'

/** What PUT, DELETE and other methods do to an item. */
export const changeRules: readonly Rule[] = [
  {
    id: 'update',
    words: 'PUT on an item replaces it: 200 with the item, and it is read so.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      const body = changed(await workshopOf(subject).draft())
      const exchange = await subject.ask('PUT', path, { body })
      expectOffered(exchange, 200)
      const updated = expectItem(exchange)
      if (updated.id !== item.id) broken(exchange, `The item has the id ${updated.id}.`)
      const other = Object.keys(body).find((field) => !isSame(updated[field], body[field]))
      if (other !== undefined) broken(exchange, `The item has not the "${other}" that was sent.`)
      expectSame(await subject.ask('GET', path), updated, 'the item as PUT gave it')
    },
  },
  {
    id: 'update-replaces',
    words: 'PUT replaces the whole: a field that is left out does not stay as it was.',
    needs: ['write'],
    async run(subject) {
      const draft = await workshopOf(subject).draft()
      for (const field of Object.keys(draft).slice(0, maxFields)) {
        const { [field]: value, ...rest } = draft
        const { item, path } = await makeItem(subject)
        const exchange = await subject.ask('PUT', path, { body: rest })
        if (exchange.answer.status !== 200) continue
        if (!isSame(item[field], expectItem(exchange)[field])) return
        const fresh = await subject.ask('POST', workshopOf(subject).path, { body: rest })
        // What a new item gets of itself may be what it was.
        const isDefault = isSame(Reflect.get(Object(fresh.answer.json), field), item[field])
        if (!isDefault)
          broken(exchange, `"${field}" is still ${JSON.stringify(value)}, and was not sent.`)
      }
      unfit('No field can be left out.')
    },
  },
  {
    id: 'update-faults',
    words: 'PUT with an item that cannot be is 422, and nothing is changed.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      expectOfferedProblem(await subject.ask('PUT', path, { body: [] }), 'validation_failed')
      await expectKept(subject, { item, path })
    },
  },
  {
    id: 'update-id-mismatch',
    words: 'PUT with the id of another item is 409.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      const body = { ...(await workshopOf(subject).draft()), id: absentId(item.id) }
      expectOfferedProblem(await subject.ask('PUT', path, { body }), 'id_mismatch')
      await expectKept(subject, { item, path })
    },
  },
  {
    id: 'update-absent',
    words: 'PUT on an id that nothing has is 404: it creates nothing.',
    needs: ['write'],
    async run(subject) {
      const path = itemPath(workshopOf(subject).path, nothing)
      const exchange = await subject.ask('PUT', path, { body: await workshopOf(subject).draft() })
      expectOfferedProblem(exchange, 'not_found')
      expectStatus(await subject.ask('GET', path), 404)
    },
  },
  {
    id: 'content-range',
    words: '"Content-Range" on PUT is 400.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      const headers = { 'content-range': 'bytes 0-1/2' }
      const exchange = await subject.ask('PUT', path, {
        body: await workshopOf(subject).draft(),
        headers,
      })
      expectOfferedProblem(exchange, 'bad_request')
      await expectKept(subject, { item, path })
    },
  },
  {
    id: 'if-match',
    words: 'A condition that does not hold is 409, and nothing is changed.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      const body = changed(await workshopOf(subject).draft())
      for (const headers of [{ 'if-match': `"${nothing}"` }, { 'if-none-match': '*' }] as const)
        expectOfferedProblem(
          await subject.ask('PUT', path, { body, headers }),
          'precondition_failed',
        )
      expectOfferedProblem(
        await subject.ask('DELETE', path, { headers: { 'if-match': `"${nothing}"` } }),
        'precondition_failed',
      )
      await expectKept(subject, { item, path })
    },
  },
  {
    id: 'write-parameter',
    words: 'A parameter on a write is 400, and nothing is done.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      const body = changed(await workshopOf(subject).draft())
      expectOfferedProblem(
        await subject.ask('PUT', `${path}?${nothing}=1`, { body }),
        'unknown_parameter',
      )
      expectOfferedProblem(await subject.ask('DELETE', `${path}?q=a`), 'unknown_parameter')
      await expectKept(subject, { item, path })
    },
  },
]

/** A draft with another text in it, where it has one that can be any. */
export function changed(
  draft: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const field = Object.keys(draft).find((name) => {
    const value = draft[name]
    return typeof value === 'string' && /^\p{L}+(?: \p{L}+)*/u.test(value) && !/[@:/]/.test(value)
  })
  return field === undefined ? draft : { ...draft, [field]: `${draft[field]} changed` }
}

/** As `expectProblem`, for an operation that a server may go without. */
export function expectOfferedProblem(
  ...[exchange, ...codes]: Parameters<typeof expectProblem>
): void {
  if (exchange.answer.status === 405) unfit(offeredNot(exchange))
  expectProblem(exchange, ...codes)
}

function offeredNot({ sent }: Exchange): string {
  return `${sent.method} is not offered on ${sent.path}.`
}

/** Makes some items. */
export async function makeItems(subject: Subject, count: number): Promise<readonly Found[]> {
  const items: Found[] = []
  for (let made = 0; made < count; made++) items.push((await makeItem(subject)).item)
  return items
}
