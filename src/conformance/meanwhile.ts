import { isAbsent, isSame, show, withoutVersions } from './compare.ts'
import { type Demand, full, named } from './demand.ts'
import { isRefusal, type Lab, showAttempt } from './lab.ts'
import { type Question, replacementOf, replacing } from './question.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'

/** What happens when several operations are under way at once. */
export const meanwhileDemands: readonly Demand[] = [
  {
    name: 'concurrent creates give distinct ids',
    rule: 'A hundred items created at once are a hundred items.',
    needs: ['create'],
    async test(lab) {
      const names = Array.from({ length: 100 }, (_, place) => `${place}`)
      const items = await Promise.all(names.map((name) => lab.create({ name })))
      const ids = new Set(items.map(({ id }) => id))
      lab.ensure(
        ids.size === 100 &&
          isSame(
            items.map(({ name }) => name),
            names,
          ),
        () => ({
          asked: '100 creates at once',
          came: `${ids.size} ids for the names ${items.map(({ name }) => name)}`,
          expected: '100 ids, each answered with the item that was sent',
        }),
      )
    },
  },
  {
    name: 'concurrent updates leave one of them whole',
    rule: 'Of updates of one item at once the stored item is one, with all its fields, never a mixture.',
    needs: ['create', 'read', 'update'],
    async test(lab) {
      const item = await lab.create(full)
      const sent = Array.from({ length: 20 }, (_, n): NewSpecimen => {
        const fields = { name: `${n}`, rank: n, data: { n } }
        return n % 2 === 0 ? fields : { ...fields, note: `${n}` }
      })
      await Promise.all(sent.map((fields) => lab.ask(replacing(item, fields))))
      const question: Question = { kind: 'read', id: item.id }
      const came = withoutVersions(await lab.ask(question))
      lab.ensure(
        sent.some((fields) => isSame(came, { ...fields, id: item.id })),
        () => ({
          asked: question,
          came: show(came),
          expected: 'what one of 20 updates at once has sent, whole',
        }),
      )
    },
  },
  {
    name: 'concurrent updates set distinct revisions',
    rule: 'Of updates of one item at once each is answered with the item and a revision that no other has, also where they change nothing.',
    needs: ['create', 'update'],
    async test(lab) {
      const item = await lab.create(full)
      const updates = Array.from({ length: 10 }, () => lab.update(item, full))
      const revisions = (await Promise.all(updates)).map(({ revision }) => revision)
      const all = new Set([item.revision, ...revisions])
      lab.ensure(all.size === 11 && !revisions.some(isAbsent), () => ({
        asked: '10 updates at once of an item, by the same values',
        came: `the revisions ${show(revisions)}`,
        expected: `10 revisions, none of them twice, none ${show(item.revision)}`,
      }))
    },
  },
  {
    name: 'concurrent deletes give an item once',
    rule: 'Of deletions of one item at once one gives it, the others null.',
    needs: ['create', 'delete'],
    async test(lab) {
      const { id } = await lab.create(full)
      const question: Question = { kind: 'delete', id }
      const came = await Promise.all(Array.from({ length: 10 }, () => lab.ask(question)))
      lab.ensure(came.filter((answer) => !isAbsent(answer)).length === 1, () => ({
        asked: `10 times at once, delete ${show({ id })}`,
        came: show(came),
        expected: 'the item once, and null 9 times',
      }))
    },
  },
  {
    name: 'concurrent bulks leave one of them whole',
    rule: 'Of bulks over the same items at once, in opposite orders, the stored items are those of one. None fails, but that one may be refused as `precondition_failed`: the revisions it was made from are stored no more.',
    needs: ['create', 'list', 'updateMany'],
    async test(lab) {
      const items = await lab.createAll(named(...'abcdefgh'))
      const questions = [renaming(items, 'one'), renaming(items.toReversed(), 'other')]
      const attempts = await Promise.all(questions.map((question) => lab.attempt(question)))
      const refused = attempts.filter((attempted) => isRefusal(attempted, 'precondition_failed'))
      const failed = attempts.filter(({ kind }) => kind === 'threw').length - refused.length
      lab.ensure(failed === 0 && refused.length < 2, () => ({
        asked: '2 bulks at once over the same items',
        came: attempts.map(showAttempt).join('; '),
        expected: 'the items, at most once the problem precondition_failed',
      }))
      await ensureUniform(lab, ['one', 'other'])
    },
  },
  {
    name: 'readers see a bulk whole or not',
    rule: 'A list that is read while a bulk is written shows all of it or nothing of it.',
    needs: ['create', 'list', 'updateMany'],
    async test(lab) {
      const items = await lab.createAll('abcdefgh'.split('').map((note) => ({ name: 'old', note })))
      const written = lab.ask(renaming(items, 'new'))
      const reading = Array.from({ length: 10 }, () => ensureUniform(lab, ['old', 'new']))
      await Promise.all([written, ...reading])
      await ensureUniform(lab, ['new'])
    },
  },
  {
    name: 'an aborted bulk is whole or nothing',
    rule: 'When nobody waits any more a bulk may stop, but not half-way, and the next one is written.',
    needs: ['create', 'list', 'updateMany'],
    async test(lab) {
      const items = await lab.createAll('abcdefgh'.split('').map((note) => ({ name: 'old', note })))
      const controller = new AbortController()
      const written = lab.attempt({ ...renaming(items, 'new'), signal: controller.signal })
      // By then the bulk has begun where it is not done at once.
      await Promise.resolve()
      controller.abort()
      const attempted = await written
      await ensureUniform(lab, attempted.kind === 'gave' ? ['new'] : ['old', 'new'])
      await lab.ask(renaming(await lab.list({}), 'next'))
      await ensureUniform(lab, ['next'])
    },
  },
]

function renaming(items: readonly Specimen[], name: string): Question {
  return { kind: 'updateMany', items: items.map((item) => replacementOf(item, { name })) }
}

async function ensureUniform(lab: Lab, names: readonly string[]): Promise<void> {
  const came = (await lab.list({})).map(({ name }) => name)
  lab.ensure(new Set(came).size === 1 && names.includes(came[0] ?? ''), () => ({
    asked: 'the names of all items, in one list',
    came: show(came),
    expected: `all of them ${names.join(', or all ')}`,
  }))
}
