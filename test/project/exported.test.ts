import { describe, expect, test } from 'vitest'
import type { FilledProject } from '../../src/project/from-file.ts'
import { type Answer, openBoth } from './exported.ts'
import { files } from './exported-files.ts'
import { readsOf, type Write, writesOf } from './exported-requests.ts'

const names = Object.keys(files)
const folderOf = (name: string) => `as-${names.indexOf(name)}`

describe('an exported project answers as the file is served', () => {
  test.each(names)('every read, byte for byte: %s', async (name) => {
    const { serve, ask, project } = await openBoth(`${folderOf(name)}-reads`, files[name])
    for (const path of readsOf(project)) {
      const line = `GET ${path}`
      expect([line, await ask(line)]).toEqual([line, await serve(line)])
    }
  })

  test.each(names)('every write that both take: %s', async (name) => {
    const { serve, ask, project } = await openBoth(`${folderOf(name)}-writes`, files[name])
    const [ours, theirs] = [canonical(), canonical()]
    const counts = { taken: 0, refused: 0 }
    for (const [line, item] of writesOf(project)) {
      const answer = await ask(line, item)
      // The project holds bodies to its fields and their types.
      if (answer.status === 422 && !answer.text.includes('reference_not_found')) continue
      // A value that leads to no item stays, but no write repeats it.
      if (answer.status === 422 && isStored(item, project)) continue
      const expected = await serve(line, item)
      const write: Write = [line, item]
      if (answer.status < 300) expect([write, ours(answer)]).toEqual([write, theirs(expected)])
      else expect([write, refusalOf(answer)]).toEqual([write, refusalOf(expected)])
      counts[answer.status < 300 ? 'taken' : 'refused']++
    }
    expect(counts.taken).toBeGreaterThan(3)
    expect(counts.refused).toBeGreaterThan(0)
  })
})

describe('an exported project differs', () => {
  const digits = { things: [{ id: '1', day: '2026-01-02' }, { id: '9' }] }
  const mixed = { things: [{ id: 1 }, { id: 'x' }, { id: 2 }] }
  const sparse = { things: [{ id: 1, a: 5 }, { id: 2, a: null }, { id: 3 }] }
  const dangling = {
    posts: [{ id: 1 }],
    notes: [
      { id: 1, postId: 1 },
      { id: 2, postId: 9 },
    ],
  }

  test.each<Difference>([
    {
      what: 'a missing value is null where another one is',
      ...{ file: sparse, write: ['GET /things/3'] },
      ...{ served: [200, '{"id":3}'], exported: [200, '{"id":3,"a":null}'] },
    },
    {
      what: 'numbers beside texts are texts as ids',
      ...{ file: mixed, write: ['GET /things/1'] },
      ...{ served: [200, '{"id":1}'], exported: [200, '{"id":"1"}'] },
    },
    {
      what: 'a filter of days takes days',
      ...{ file: digits, write: ['GET /things?day=soon'] },
      ...{ served: [200, '[]'], exported: [400, '"code":"bad_parameter"'] },
    },
    {
      what: 'a new id among digits is a UUID',
      ...{ file: digits, write: ['POST /things', { day: '2026-01-03' }] },
      ...{ served: [201, '"id":"10"'], exported: [201, '-7'] },
    },
    {
      what: 'bodies have the fields of the file',
      ...{ file: digits, write: ['PATCH /things/1', { more: 1 }] },
      ...{ served: [200, '"more":1'], exported: [422, '"code":"unrecognized_keys"'] },
    },
    {
      what: 'no write repeats a reference to none',
      ...{ file: dangling, write: ['PUT /notes/2', { postId: 9 }] },
      ...{ served: [200, '"postId":9'], exported: [422, '"code":"reference_not_found"'] },
    },
  ])('$what', async ({ what, file, write, served, exported }) => {
    const { serve, ask } = await openBoth(`differs-${what.replaceAll(' ', '-')}`, file)
    const answers = [await serve(...write), await ask(...write)]
    expect(answers.map(({ status }) => status)).toEqual([served[0], exported[0]])
    expect(answers[0]?.text).toContain(served[1])
    expect(answers[1]?.text).toContain(exported[1])
  })
})

/** An answer that differs, by its status and a part of its text. */
interface Difference {
  readonly what: string
  readonly file: object
  readonly write: Write
  readonly served: readonly [number, string]
  readonly exported: readonly [number, string]
}

/** Returns a function that names new ids, and the cursors with them, by their order. */
function canonical(): (answer: Answer) => Answer {
  const ids: string[] = []
  return ({ status, text }) => {
    const newText = text
      .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, (id) => {
        if (!ids.includes(id)) ids.push(id)
        return `id ${ids.indexOf(id)}`
      })
      .replace(/after=\w+/g, 'after')
    return { status, text: newText }
  }
}

function isStored(item: unknown, { items }: FilledProject): boolean {
  const texts = [...items.values()].flat().flatMap(({ id, ...draft }) => [{ id, ...draft }, draft])
  const parts = Array.isArray(item) ? item : [item]
  return parts.some((part) => texts.some((text) => JSON.stringify(text) === JSON.stringify(part)))
}

function refusalOf({ status, text }: Answer) {
  return [status, /"code":"\w+"/.exec(text)?.[0]]
}
