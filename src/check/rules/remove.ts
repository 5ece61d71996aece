import { reservedWords } from '../../model/convention.ts'
import { itemPath } from '../../wire/path.ts'
import { expectProblem, expectSame, unfit } from '../expect.ts'
import type { Rule } from '../rule.ts'
import { expectOffered } from '../workshop.ts'
import { changed, expectOfferedProblem } from './change.ts'
import { expectKept, makeItem, workshopOf } from './create.ts'
import { below, parentOf } from './parents.ts'

/** What DELETE does to an item, and what does nothing to one. */
export const removeRules: readonly Rule[] = [
  {
    id: 'delete',
    words: 'DELETE on an item gives it back, and then it is not there.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      const exchange = await subject.ask('DELETE', path)
      expectOffered(exchange, 200)
      expectSame(exchange, item, 'the item that was deleted')
      expectProblem(await subject.ask('GET', path), 'not_found')
    },
  },
  {
    id: 'delete-absent',
    words: 'DELETE of what is not there is 404.',
    needs: ['write'],
    async run(subject) {
      const { path } = await makeItem(subject)
      await subject.ask('DELETE', path)
      expectOfferedProblem(await subject.ask('DELETE', path), 'not_found')
    },
  },
  {
    id: 'delete-body',
    words: 'A body on DELETE is 400, and nothing is deleted.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      expectOfferedProblem(
        await subject.ask('DELETE', path, { body: { a: 1 } }),
        'body_not_allowed',
      )
      await expectKept(subject, { item, path })
    },
  },
  {
    id: 'item-slash',
    words:
      'PUT and DELETE on an item with a trailing slash are 400: a URL parser leaves one behind "." and "..".',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      const body = changed(await workshopOf(subject).draft())
      expectOfferedProblem(await subject.ask('PUT', `${path}/`, { body }), 'bad_path')
      expectOfferedProblem(await subject.ask('DELETE', `${path}/`), 'bad_path')
      await expectKept(subject, { item, path })
    },
  },
  {
    id: 'scope-writes',
    words: 'Through another parent an item can be neither changed nor deleted: 404.',
    needs: ['write', 'parent'],
    async run(subject) {
      const parent = parentOf(subject)
      const { item, path } = await makeItem(subject)
      const elsewhere = [parent.id, parent.otherId].find(
        (id) => id !== undefined && !path.startsWith(`${below(parent, id)}/`),
      )
      if (elsewhere === undefined) unfit('There is only one parent.')
      const other = itemPath(below(parent, elsewhere), item.id)
      const body = changed(await workshopOf(subject).draft())
      expectOfferedProblem(
        await subject.ask('PUT', other, { body }),
        'not_found',
        'validation_failed',
      )
      expectOfferedProblem(await subject.ask('DELETE', other), 'not_found')
      await expectKept(subject, { item, path })
    },
  },
  {
    id: 'no-post-on-item',
    words: 'POST and PATCH on an item, and POST on a reserved word, are 405.',
    needs: ['write'],
    async run(subject) {
      const { item, path } = await makeItem(subject)
      for (const method of ['POST', 'PATCH'])
        expectProblem(await subject.ask(method, path, { body: {} }), 'method_not_allowed')
      await expectKept(subject, { item, path })
      const workshop = workshopOf(subject)
      // On some server "first" may be the first item of all.
      for (const word of workshop.isOwn ? reservedWords : [])
        expectProblem(
          await subject.ask('POST', `${workshop.path}/${word}`, { body: [] }),
          'method_not_allowed',
        )
    },
  },
]
