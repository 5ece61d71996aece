import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineApi } from '../../src/contract/declare/define-api.ts'
import { defineRegistry } from '../../src/contract/declare/define-registry.ts'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { defineView } from '../../src/views/define-view.ts'
import { refusalOf } from './thrown.ts'

const Firm = z.object({ id: z.string(), name: z.string() })
const Worker = z.object({ id: z.string(), firm_id: z.string() })
const Staff = z.object({ id: z.string(), company_id: z.string() })
const firms = defineResource('firms', { schema: Firm })
const workers = defineResource('workers', { schema: Worker })
const companies = defineView('companies', firms, { schema: Firm, create: Firm })
const staff = defineView('staff', workers, {
  schema: Staff,
  create: Staff,
  plural: true,
  fields: { company_id: 'firm_id' },
})
const notes = defineResource('notes', { schema: Firm })
const v1 = {
  '/companies': companies,
  '/companies/:company_id/staff': staff,
  '/staff': staff,
  '/notes': notes,
}
const v2 = {
  '/firms': firms,
  '/firms/:firm_id/workers': workers,
  '/employees': workers,
  '/people': workers,
}

// As a program without types would call it.
function declare(options: unknown, declaration: object = { v1, v2 }): unknown {
  return Reflect.apply(defineApi, undefined, [declaration, options])
}

const day = '2026-11-01'

describe('the lifecycle of a version', () => {
  test('is none by default', () => {
    const api = defineApi({ v1, v2 })
    expect(api).toMatchObject({ lifecycle: new Map(), retired: new Map(), drafts: [] })
    for (const { deprecation, successor } of api.collections)
      expect([deprecation, successor]).toEqual([undefined, undefined])
  })

  test('is kept as declared, with seconds', () => {
    const { lifecycle, retired, drafts } = defineApi(
      { v2, v3: { '/notes': notes } },
      {
        lifecycle: {
          v2: { deprecated: day, sunset: '2027-11-01T01:00:00.5+01:00', successor: 'v3' },
          'v2/firms': { deprecated: '2026-10-01', docs: '/versions' },
        },
        retired: {
          v1: { since: day, sunset: day, successor: 'v2', docs: 'https://x.example/?a=1#b' },
        },
        drafts: ['v3'],
      },
    )
    expect([...lifecycle]).toEqual([
      [
        'v2',
        {
          deprecated: day,
          deprecatedAt: 1_793_491_200,
          sunset: '2027-11-01T01:00:00.5+01:00',
          sunsetAt: 1_825_027_200,
          successor: 'v3',
          docs: undefined,
        },
      ],
      [
        'v2/firms',
        {
          deprecated: '2026-10-01',
          deprecatedAt: 1_790_812_800,
          sunset: undefined,
          sunsetAt: undefined,
          successor: undefined,
          docs: '/versions',
        },
      ],
    ])
    expect([...retired]).toEqual([
      ['v1', { since: day, sunset: day, successor: 'v2', docs: 'https://x.example/?a=1#b' }],
    ])
    expect(drafts).toEqual(['v3'])
    for (const frozen of [drafts, ...lifecycle.values(), ...retired.values()])
      expect(Object.isFrozen(frozen)).toBe(true)
  })

  test('of a path includes the paths below', () => {
    const { collections } = defineApi(
      { v1, v2 },
      {
        lifecycle: {
          v1: { deprecated: '2026-01-01' },
          'v1/companies': { deprecated: '2025-01-01' },
        },
      },
    )
    expect(collections.map(({ deprecation }) => deprecation?.deprecated)).toEqual([
      ...['2025-01-01', '2026-01-01', '2026-01-01', '2025-01-01'],
      ...[undefined, undefined, undefined, undefined],
    ])
  })

  test('finds the successor of a path by its bases', () => {
    const { collections } = defineApi(
      { v1, v2 },
      { lifecycle: { v1: { deprecated: day, successor: 'v2' } } },
    )
    const found = collections.map(({ path, successor }) => [path, successor?.path])
    expect(found).toEqual(
      [
        ['/companies', '/firms'],
        // Two paths have the workers.
        ['/staff', undefined],
        ['/notes', undefined],
        ['/companies/:company_id/staff', '/firms/:firm_id/workers'],
        ...['/firms', '/employees', '/people', '/firms/:firm_id/workers'].map((path) => [path]),
      ].map(([path, to]) => [path, to]),
    )
  })

  const lifecycle = (row: unknown, place = 'v1') => ({ lifecycle: { [place]: row } })
  const deprecated = day
  const refusals: readonly (readonly [why: string, options: unknown, message: RegExp])[] = [
    ['no object', 7, /takes an object/],
    ['an unknown option', { lifecycles: {} }, /has no option "lifecycles": write "lifecycle"/],
    ['a list of rows', { lifecycle: [] }, /write lifecycle: { v1: {"deprecated":/],
    ['retired versions by name', { retired: 'v0' }, /write retired: { v1: {"since":/],
    [
      'an unknown version',
      lifecycle({ deprecated }, 'v7'),
      /"v7", which the api lacks: write "v1"/,
    ],
    ['an inherited version', lifecycle({ deprecated }, 'constructor'), /"constructor"/],
    ['an unknown path', lifecycle({ deprecated }, 'v1/notez'), /write "v1\/notes" if/],
    ['another version', lifecycle({ deprecated }, 'v2/notes'), /names "v2\/notes"/],
    ['an unknown member', lifecycle({ deprecated, sunsets: day }), /write "sunset" if/],
    ['no row', lifecycle(null), /"v1" of "lifecycle" takes an object/],
    ['no date', lifecycle({ sunset: day }), /needs a date: write "deprecated:/],
    [
      'a day that is none',
      lifecycle({ deprecated: '2026-02-30' }),
      /"deprecated" of "v1".*no date/,
    ],
    ['a date of another type', lifecycle({ deprecated: new Date(0) }), /is no date from/],
    ['a date before 1970', lifecycle({ deprecated: '1969-12-31' }), /is no date from 1970 on/],
    ['a sunset that is none', lifecycle({ deprecated, sunset: 'soon' }), /"sunset" of "v1"/],
    ['an early sunset', lifecycle({ deprecated, sunset: '2026-10-31' }), /before 2026-11-01/],
    ['an unknown successor', lifecycle({ deprecated, successor: 'v9' }), /no newer.*"v2"/],
    ['itself as successor', lifecycle({ deprecated, successor: 'v1' }), /no newer/],
    ['an older successor', lifecycle({ deprecated, successor: 'v1' }, 'v2'), /leave it out/],
    ['a page that is none', lifecycle({ deprecated, docs: 'javascript:alert(1)' }), /is no page/],
    ['a page of another host', lifecycle({ deprecated, docs: '//x.example' }), /is no page/],
    ['a page with brackets', lifecycle({ deprecated, docs: '/a>; rel="next"' }), /is no page/],
    ['a page of another type', lifecycle({ deprecated, docs: 7 }), /is no page/],
    ['a retired version with paths', { retired: { v1: {} } }, /leave "v1" out of the first/],
    ['a retired version that is none', { retired: { V0: {} } }, /is no version/],
    ['a retired member', { retired: { v9: { deprecated } } }, /has no option "deprecated"/],
    ['a retired date', { retired: { v9: { since: 'now' } } }, /"since" of "v9" of "retired"/],
    ['a retired sunset', { retired: { v9: { sunset: 'now' } } }, /"sunset" of "v9"/],
    ['a retired page', { retired: { v9: { docs: '' } } }, /is no page/],
    ['a retired successor', { retired: { v9: { successor: 'v2' } } }, /no newer/],
    ['drafts that are no list', { drafts: 'v2' }, /write "drafts: \['v2'\]"/],
    ['a draft that is none', { drafts: ['v3'] }, /"drafts" names no version by "v3"/],
  ]
  for (const [why, options, message] of refusals) {
    test(`refuses ${why}`, () => expect(refusalOf(() => declare(options))).toMatch(message))
  }

  test('takes a row that is undefined', () => {
    expect(declare(lifecycle(undefined))).toHaveProperty('lifecycle.size', 0)
  })

  test('lets v10 come after v9', () => {
    const options = { lifecycle: { v9: { deprecated, successor: 'v10' } } }
    expect(declare(options, { v9: { '/notes': notes }, v10: { '/notes': notes } })).toBeDefined()
  })
})

describe('the default version', () => {
  const one = { v1: { '/notes': notes } }
  const two = { ...one, v2: { '/notes': notes } }
  const row = { deprecated: day }
  const given: readonly (readonly [string, object, object, object, string | RegExp])[] = [
    [
      'may be deprecated with a successor',
      two,
      { lifecycle: { v1: { ...row, successor: 'v2' } } },
      { defaultVersion: 'v1' },
      'v1',
    ],
    [
      'needs a successor where it is deprecated',
      two,
      { lifecycle: { v1: row } },
      { defaultVersion: 'v1' },
      /write "successor: 'v2'"/,
    ],
    [
      'needs none where no version is newer',
      two,
      { lifecycle: { v2: row } },
      { defaultVersion: 'v2' },
      'v2',
    ],
    ['is the only one, also a deprecated one', one, { lifecycle: { v1: row } }, {}, 'v1'],
    ['is never retired', one, { retired: { v0: {} } }, { defaultVersion: 'v0' }, /is no version/],
    [
      'is not chosen where another one has ended',
      { v2: one.v1 },
      { retired: { v1: {} } },
      {},
      /has a retired version: write "defaultVersion: 'v2'"/,
    ],
    [
      'is refused where it has ended',
      { v2: one.v1 },
      { retired: { v1: {} } },
      { defaultVersion: 'v1' },
      /"v1", which is retired: write "v2"/,
    ],
    ['may be none', two, { lifecycle: { v1: row } }, { defaultVersion: false }, /false/],
  ]
  for (const [fact, declaration, options, registry, expected] of given) {
    test(fact, () => {
      const build = (): unknown => {
        const api = declare(options, declaration)
        const builder = Reflect.apply(defineRegistry, undefined, [api, registry])
        return builder.adapters({ notes: { list: () => [] } }).defaultVersion
      }
      if (typeof expected === 'string') expect(build()).toBe(expected)
      else if (expected.source === 'false') expect(build()).toBe(false)
      else expect(refusalOf(build)).toMatch(expected)
    })
  }
})
