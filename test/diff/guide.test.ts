import { describe, expect, test } from 'vitest'
import { guideOf } from '../../src/diff/guide/guide.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { api } from '../support/versions.ts'
import { base, changed } from './contracts.ts'

const snapshot = snapshotOf(api, { nounful: '1.0.0' })

function rowsOf(guide: string, title: string): readonly string[] {
  const section = guide.split('\n## ').find((part) => part.startsWith(title)) ?? ''
  return section.split('\n').filter((line) => /^(?:\| [`–]|- )/.test(line))
}

describe('the guide', () => {
  test('tells a view of a view in the words of the next version', () => {
    expect(rowsOf(guideOf(snapshot, 'v1', 'v2'), '`/v1/people`')).toEqual([
      '| `family` | `name` | the second part of the text |',
      '| `given` | `name` | the first part of the text |',
      '| `label` | `headline` | renamed |',
      '| `present` | `status` | `true` is `here`; `false` is `gone` |',
      '| – | `city` | new: optional |',
      '| – | `country` | new: required in POST; items of the old version get `"US"` |',
      '| – | `fax` | new: required in POST; items of the old version get `null` |',
      '| – | `price` | new: required in POST; items of the old version get `"0.00"` |',
    ])
  })

  test('joins the tables of a chain', () => {
    expect(rowsOf(guideOf(snapshot, 'v1', 'v3'), '`/v1/people`')).toContain(
      '| `present` | `state` | `true` is `active`; `false` is `left` or `archived` |',
    )
  })

  test('tells each form of a link', () => {
    expect(rowsOf(guideOf(snapshot, 'v2', 'v3'), '`/v2/people`')).toEqual([
      '| `city` | `address` | the member `city` of the object |',
      '| `country` | `country` | may be missing, where it was `"US"` |',
      '| `fax` | – | gone: it was always `null` |',
      '| `firm_id` | `company_id` | renamed |',
      '| `headline` | `heading` | renamed, with other values: see the schema |',
      '| `name` | `first_name`, `last_name` ' +
        '| split: `first_name` and `last_name`, joined by a space |',
      '| `price` | `cents` | made by a function |',
      '| `status` | `state` | `here` is `active`; `gone` is `left` or `archived` |',
      '| `tag` | `revision` | renamed |',
      '| – | `email` | new: required in POST; items of the old version get `null` |',
    ])
  })

  test('tells the way back', () => {
    const rows = rowsOf(guideOf(snapshot, 'v3', 'v2'), '`/v3/people`')
    expect(rows).toEqual(
      expect.arrayContaining([
        '- No longer sortable: `cents`.',
        '- No longer filterable: `cents`.',
        '| `address` | `city` | only the member `city` |',
        '| `country` | `country` | never missing: `"US"` stands for none |',
        '| `email` | – | gone |',
        '| `first_name` | `name` | joined with another text by a space |',
        '| – | `fax` | new: always `null` |',
      ]),
    )
  })

  test('finds a path under another name', () => {
    expect(guideOf(snapshot, 'v1', 'v3')).toContain('## `/v1/firms` is `/v3/companies`')
    expect(guideOf(snapshot, 'v1', 'v2')).toContain('## `/v1/firms`\n\nNothing changes.')
  })

  test('tells paths and operations that are gone or new', () => {
    const guide = guideOf(
      changed(({ versions }) => {
        Object.assign(versions.v2?.paths['/notes'] ?? {}, { operations: ['list', 'read'] })
      }),
      'v1',
      'v2',
    )
    expect(guide).toContain('- No longer offered: `create`,')
    expect(guide).toMatch(/## New in v2\n\n- `\/v2\/kinds`/)
    expect(guideOf(base, 'v2', 'v1')).toContain('## `/v2/kinds` is gone')
  })
})
