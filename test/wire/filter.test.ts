import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { Condition } from '../../src/convention/filter-operators.ts'
import { operationKinds } from '../../src/convention/operations.ts'
import { parametersFor } from '../../src/wire/meaning.ts'
import { formatQuery, parseQuery } from '../../src/wire/query.ts'
import { problemOf } from '../contract/thrown.ts'

const Task = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['new', 'open', 'done']).nullable(),
  level: z.union([z.literal(1), z.literal(2)]),
  due: z.iso.datetime({ offset: true }).optional(),
  day: z.iso.date().nullable(),
  at: z.string().meta({ format: 'time' }),
  key: z.uuid(),
  rank: z.int(),
  weight: z.number(),
  done: z.boolean(),
  'größe & co': z.string(),
})

const tasks = defineResource('tasks', {
  schema: Task,
  sortable: ['title', 'due', 'day', 'rank', 'weight', 'done', 'key'],
  searchable: ['title'],
  filterable: [
    'title',
    'status',
    'level',
    'due',
    'day',
    'at',
    'key',
    'rank',
    'weight',
    'done',
    'größe & co',
  ],
})
const rules = {
  takes: ['q', 'where', 'sort', 'limit', 'offset', 'after', 'fields'],
  sortable: tasks.sortable,
  maxLimit: 100,
  resource: tasks,
  includes: [],
} as const
const taskMount = { resource: tasks, includes: [] }
const read = (search: string): readonly Condition[] | undefined => parseQuery(search, rules).where
const uuid = '0189d4c8-1b2f-7c3d-8e4f-5a6b7c8d9e0f'

const condition = (
  field: string,
  is: Condition['is'],
  type: Condition['type'],
  ...values: Condition['values'][number][]
): Condition => ({ field, is, type, values })

describe('a filter is read and written', () => {
  // biome-ignore format: a row stays a line
  const both: readonly (readonly [string, ...Condition[]])[] = [
    ['id=1', condition('id', 'in', 'text', '1')],
    ['id=1&id=2', condition('id', 'in', 'text', '1', '2')],
    ['id:ne=1', condition('id', 'notIn', 'text', '1')],
    ['id=', condition('id', 'in', 'text')],
    ['title=a', condition('title', 'in', 'text', 'a')],
    ['title=', condition('title', 'in', 'text', '')],
    ['title=a%26b%3Dc%20%2B,d:e', condition('title', 'in', 'text', 'a&b=c +,d:e')],
    ['title:ne=a&title:ne=b', condition('title', 'notIn', 'text', 'a', 'b')],
    ['title:null=true', condition('title', 'missing', 'text')],
    ['title:null=false', condition('title', 'present', 'text')],
    ['title:gt=a&title:lte=b', condition('title', 'gt', 'text', 'a'), condition('title', 'lte', 'text', 'b')],
    ['title:contains=%25_*', condition('title', 'contains', 'text', '%_*')],
    ['title:startsWith=a', condition('title', 'startsWith', 'text', 'a')],
    ['title:endsWith=a', condition('title', 'endsWith', 'text', 'a')],
    ['status=new', condition('status', 'in', 'text', 'new')],
    ['level=1&level=2', condition('level', 'in', 'number', 1, 2)],
    ['due=2020-01-01T00:00:00%2B01:00', condition('due', 'in', 'date-time', '2020-01-01T00:00:00+01:00')],
    ['due:gte=2020-01-01T00:00:00.123456789Z', condition('due', 'gte', 'date-time', '2020-01-01T00:00:00.123456789Z')],
    ['day:lt=2020-02-29', condition('day', 'lt', 'date', '2020-02-29')],
    ['at=23:59:59', condition('at', 'in', 'time', '23:59:59')],
    [`key=${uuid}`, condition('key', 'in', 'uuid', uuid)],
    ['rank=0&rank=7', condition('rank', 'in', 'integer', 0, 7)],
    ['weight=-1.5', condition('weight', 'in', 'number', -1.5)],
    ['done=false&done=true', condition('done', 'in', 'boolean', false, true)],
    ['gr%C3%B6%C3%9Fe%20%26%20co=x', condition('größe & co', 'in', 'text', 'x')],
    ['q=a&title=b&sort=-id&limit=2&fields=title', condition('title', 'in', 'text', 'b')],
  ]
  for (const [text, ...where] of both) {
    test(text, () => {
      const parameters = parseQuery(text, rules)
      expect(parameters.where).toEqual(where)
      expect(formatQuery(parameters)).toBe(text)
    })
  }

  // biome-ignore format: a row stays a line
  const reads: readonly (readonly [string, string])[] = [
    ['title=b&title=a&title=b', 'title=a&title=b'],
    ['status=new&title=a', 'title=a&status=new'],
    ['title:lte=b&title:gt=a', 'title:gt=a&title:lte=b'],
    ['title%3Agt=a', 'title:gt=a'],
    ['rank=1.0&rank=1e1&rank=-0', 'rank=0&rank=1&rank=10'],
    ['weight=1.50', 'weight=1.5'],
    ['weight=1E5&weight=0.1E1&weight=0e5&weight=1E-7', 'weight=0&weight=1e-7&weight=1&weight=100000'],
    ['weight=1E21', 'weight=1e%2B21'],
    ['id=2&id=first&id=1&id=..', 'id=1&id=2'],
    ['id=count', 'id='],
    ['id:ne=first', ''],
    ['title=a+b', 'title=a%20b'],
    ['title', 'title='],
    ['fields=title,rank,title', 'fields=title,rank'],
    ['fields=title&fields=rank', 'fields=title,rank'],
    ['fields=&fields', ''],
    ['sort=-id', 'sort=-id'],
    ['offset=0&limit=5', 'limit=5&offset=0'],
  ]
  for (const [text, written] of reads) {
    test(`${text} is ${written}`, () => {
      expect(formatQuery(parseQuery(text, rules))).toBe(written)
    })
  }

  test('a client writes pairs', () => {
    expect(
      formatQuery({
        where: [
          ['due:gte', '2020-01-01T00:00:00Z'],
          ['title', 'a b'],
        ],
      }),
    ).toBe('due:gte=2020-01-01T00:00:00Z&title=a%20b')
  })
})

describe('a filter is refused', () => {
  const many = (count: number, name: string): string =>
    Array.from({ length: count }, (_, index) => `${name}=${index}`).join('&')
  // biome-ignore format: a row stays a line
  const cases: readonly (readonly [search: string, code: string, parameter?: string])[] = [
    ['nope=1', 'unknown_parameter', 'nope'],
    ['where=1', 'unknown_parameter', 'where'],
    ['title:like=a', 'unknown_parameter', 'title:like'],
    ['title:=a', 'unknown_parameter', 'title:'],
    ['title:eq=a', 'unknown_parameter', 'title:eq'],
    ['title:GT=a', 'unknown_parameter', 'title:GT'],
    ['title[gt]=a', 'unknown_parameter', 'title[gt]'],
    ['title:gt:lt=a', 'unknown_parameter', 'title:gt:lt'],
    [':gt=a', 'unknown_parameter', ':gt'],
    ['status:gt=a', 'unknown_parameter', 'status:gt'],
    ['status:contains=a', 'unknown_parameter', 'status:contains'],
    ['done:gt=true', 'unknown_parameter', 'done:gt'],
    ['id:gt=1', 'unknown_parameter', 'id:gt'],
    ['id:null=true', 'unknown_parameter', 'id:null'],
    ['__proto__=1', 'unknown_parameter', '__proto__'],
    ['constructor:ne=1', 'unknown_parameter', 'constructor:ne'],
    ['status=old', 'bad_parameter', 'status'],
    ['status=New', 'bad_parameter', 'status'],
    ['status=', 'bad_parameter', 'status'],
    ['level=3', 'bad_parameter', 'level'],
    ['due=2020-01-01', 'bad_parameter', 'due'],
    ['due=2020-01-01T00:00:00+01:00', 'bad_parameter', 'due'],
    ['due=2020-13-01T00:00:00Z', 'bad_parameter', 'due'],
    ['day=2020-02-30', 'bad_parameter', 'day'],
    ['at=25:00:00', 'bad_parameter', 'at'],
    ['key=1', 'bad_parameter', 'key'],
    ['rank=1.5', 'bad_parameter', 'rank'],
    ['rank=', 'bad_parameter', 'rank'],
    ['rank=07', 'bad_parameter', 'rank'],
    ['rank=0x1', 'bad_parameter', 'rank'],
    ['rank=%201', 'bad_parameter', 'rank'],
    ['rank=9007199254740993', 'bad_parameter', 'rank'],
    ['weight=9007199254740993', 'bad_parameter', 'weight'],
    ['weight:gt=-12345678901234567890', 'bad_parameter', 'weight:gt'],
    ['weight=NaN', 'bad_parameter', 'weight'],
    ['weight=1e999', 'bad_parameter', 'weight'],
    ['weight=1e-999', 'bad_parameter', 'weight'],
    ['weight=1,5', 'bad_parameter', 'weight'],
    ['done=1', 'bad_parameter', 'done'],
    ['done=TRUE', 'bad_parameter', 'done'],
    ['title:null=', 'bad_parameter', 'title:null'],
    ['title:null=1', 'bad_parameter', 'title:null'],
    ['title=a%00', 'bad_parameter', 'title'],
    ['title:contains=', 'bad_parameter', 'title:contains'],
    [`title:contains=${'a'.repeat(257)}`, 'bad_parameter', 'title:contains'],
    ['title:contains=%00', 'bad_parameter', 'title:contains'],
    ['title:gt=a&title:gt=b', 'repeated_parameter', 'title:gt'],
    ['title:null=true&title:null=true', 'repeated_parameter', 'title:null'],
    ['title:contains=a&title:contains=b', 'repeated_parameter', 'title:contains'],
    [many(101, 'title'), 'bad_parameter', 'title'],
    ['title=%FF', 'bad_percent_encoding'],
    ['fields=nope', 'bad_parameter', 'fields'],
    ['fields=title,', 'bad_parameter', 'fields'],
    ['fields=,&fields=title', 'bad_parameter', 'fields'],
    ['fields=__proto__', 'bad_parameter', 'fields'],
    [`fields=${Array.from({ length: 101 }, () => 'title').join(',')}`, 'bad_parameter', 'fields'],
    ['offset=-1', 'bad_parameter', 'offset'],
    ['offset=10001', 'bad_parameter', 'offset'],
    ['offset=1.0', 'bad_parameter', 'offset'],
    ['offset=1&offset=1', 'repeated_parameter', 'offset'],
  ]
  for (const [search, code, parameter] of cases) {
    test(search.slice(0, 60), () => {
      const problem = problemOf(() => parseQuery(search, rules))
      expect(problem.code).toBe(code)
      if (parameter !== undefined) expect(problem.members.issues?.[0]).toMatchObject({ parameter })
    })
  }

  test('names what is allowed', () => {
    expect(problemOf(() => read('status=old')).members.allowed).toEqual(['new', 'open', 'done'])
    expect(problemOf(() => read('x=1')).members.allowed).toContain('title:startsWith')
    expect(problemOf(() => read('due=2020-01-01T00:00:00+01:00')).message).toContain('%2B')
  })

  test('names each parameter once, whatever the number of its bad values', () => {
    const { issues = [] } = problemOf(() =>
      read(`${many(100, 'status')}&${many(50, 'done')}`),
    ).members
    expect(issues.map(({ parameter }) => parameter)).toEqual(['status', 'done'])
  })

  test('takes 100 values and 20 filters, no more', () => {
    expect(read(many(100, 'title'))?.[0]?.values).toHaveLength(100)
    const names = parametersFor('list', taskMount).filter((name) => name.endsWith(':ne'))
    const ranges = ['title', 'due', 'rank', 'weight'].flatMap((name) => [
      `${name}:gte`,
      `${name}:lt`,
    ])
    const values: Record<string, string> = {
      status: 'new',
      level: '1',
      due: '2020-01-01T00:00:00Z',
      day: '2020-01-01',
      at: '00:00:00',
      key: uuid,
      rank: '1',
      weight: '1',
      done: 'true',
    }
    const filters = [...names, ...ranges, 'done'].map(
      (name) => `${encodeURIComponent(name)}=${values[name.split(':')[0] ?? ''] ?? 'a'}`,
    )
    expect(filters.length).toBeGreaterThan(20)
    expect(read(filters.slice(0, 20).join('&'))).toHaveLength(20)
    expect(problemOf(() => read(filters.slice(0, 21).join('&'))).code).toBe('bad_parameter')
  })
})

test('no write but deleteMany takes a filter', () => {
  for (const kind of operationKinds) {
    const isAsked = ['list', 'first', 'last', 'count', 'deleteMany'].includes(kind)
    expect(parametersFor(kind, taskMount).includes('status')).toBe(isAsked)
    expect(parametersFor(kind, taskMount).includes('id')).toBe(isAsked)
  }
})

test('whatever is read is written and read again', () => {
  const names = parametersFor('list', taskMount)
  const pair = fc.tuple(
    fc.constantFrom(...names, 'x', 'title:x'),
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('new', '1', 'true', '-2.5', '2020-01-01', '2020-01-01T00:00:00.5Z', uuid),
    ),
  )
  let read = 0
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
      const search = pairs
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
        .join('&')
      const parsed = (() => {
        try {
          return parseQuery(search, rules)
        } catch {
          return undefined
        }
      })()
      if (parsed === undefined) return
      read++
      const written = formatQuery(parsed)
      expect(parseQuery(written, rules)).toEqual(parsed)
      expect(formatQuery(parseQuery(written, rules))).toBe(written)
    }),
    { numRuns: 500 },
  )
  expect(read).toBeGreaterThan(30)
})
