import { defineApi, defineRegistry, defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compareSnapshots } from '../../src/diff/compare/snapshots.ts'
import type { Snapshot } from '../../src/diff/snapshot.ts'
import { formatSnapshot, parseSnapshot } from '../../src/diff/snapshot-text.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { api as versions } from '../support/versions.ts'
import { base, changed, changesOf } from './contracts.ts'

const nounful = '1.0.0'

describe('a snapshot', () => {
  test('is read as it was written', () => {
    const text = formatSnapshot(base)
    expect(parseSnapshot(text)).toEqual(base)
    expect(formatSnapshot(parseSnapshot(text))).toBe(text)
  })

  test('has sorted members and one final newline', () => {
    const text = formatSnapshot(base)
    expect(text.endsWith('}\n')).toBe(true)
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(base).toSorted())
  })

  test('is the same for every order of options', () => {
    const id = z.string()
    const name = z.string()
    const age = z.int().optional()
    const [one, two] = [
      defineResource('people', {
        schema: z.object({ id, name, age }),
        plural: true,
        sortable: ['name', 'age'],
        searchable: ['name'],
      }),
      defineResource('people', {
        searchable: ['name'],
        sortable: ['age', 'name'],
        plural: true,
        schema: z.object({ age, name, id }),
      }),
    ].map((people) =>
      formatSnapshot(snapshotOf(defineApi({ v1: { '/people': people } }), { nounful })),
    )
    expect(one).toBe(two)
  })

  test('keeps the values of a default in their order', () => {
    const schema = z.object({
      id: z.string(),
      tags: z.array(z.string()).default(['b', 'a']),
      kind: z.enum(['b', 'a']),
    })
    const api = defineApi({ v1: { '/notes': defineResource('notes', { schema }) } })
    const { create } = snapshotOf(api, { nounful }).resources.notes ?? {}
    expect(create?.properties).toMatchObject({
      kind: { enum: ['a', 'b'] },
      tags: { default: ['b', 'a'] },
    })
  })

  test('has the source resources of each view', () => {
    const { resources } = snapshotOf(versions, { nounful })
    expect(Object.keys(resources).toSorted()).toEqual(
      ['companies', 'firms', 'people', 'people_v1', 'people_v2'].toSorted(),
    )
    expect(resources.people_v1).toMatchObject({ of: 'people_v2', hub: 'people' })
    expect(resources.people_v2?.fields).toMatchObject({
      headline: 'heading',
      price: { of: 'cents', read: { function: true }, write: { function: true } },
    })
  })

  test('knows no options of an api alone', () => {
    const { guarded, limits, defaultVersion } = snapshotOf(versions, { nounful })
    expect({ guarded, limits, defaultVersion }).toEqual({
      guarded: null,
      limits: {},
      defaultVersion: null,
    })
  })

  test('asks toJsonSchema first', () => {
    const schema = { '~standard': { version: 1 as const, vendor: 'own', validate } }
    const api = defineApi({ v1: { '/notes': defineResource('notes', { schema }) } })
    expect(snapshotOf(api, { nounful }).resources.notes?.item).toBeNull()
    const toJsonSchema = () => ({ $schema: 'x', type: 'object', required: ['b', 'a'] })
    expect(snapshotOf(api, { nounful, toJsonSchema }).resources.notes?.item).toEqual({
      type: 'object',
      required: ['a', 'b'],
    })
  })

  test('tells ends, drafts and retired versions', () => {
    const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
    const api = defineApi(
      { v2: { '/notes': notes, '/faxes': notes }, v3: { '/notes': notes } },
      {
        lifecycle: { 'v2/faxes': { deprecated: '2026-11-01', sunset: '2027-11-01' } },
        retired: { v1: { since: '2026-01-01', successor: 'v2' } },
        drafts: ['v3'],
      },
    )
    const { v1, v2, v3 } = snapshotOf(api, { nounful }).versions
    expect(v1).toEqual({
      stage: 'retired',
      lifecycle: { sunset: '2026-01-01', successor: 'v2' },
      paths: {},
    })
    expect([v2?.stage, v2?.lifecycle, v3?.stage]).toEqual(['released', null, 'draft'])
    expect(v2?.paths['/notes']?.lifecycle).toBeNull()
    expect(v2?.paths['/faxes']?.lifecycle).toEqual({
      deprecated: '2026-11-01',
      sunset: '2027-11-01',
    })
  })
})

function validate(value: unknown) {
  return { value: value as { id: string } }
}

describe('the reader', () => {
  const json = JSON.parse(formatSnapshot(base))
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['text', 'notes', /no JSON/],
    ['an empty file', '', /no JSON/],
    ['a list', '[]', /the file is not an object/],
    ['null', 'null', /the file is not an object/],
    ['a later format', '{"format":2}', /format 2\): upgrade nounful/],
    ['another format', '{"format":"a"}', /\/format is not one of 1/],
    ['a missing member', JSON.stringify({ ...json, versions: undefined }), /\/versions is not/],
    ['a broken member', JSON.stringify({ ...json, nounful: 1 }), /\/nounful is not text/],
    ['a prototype', '{"format":1,"resources":{"__proto__":{}}}', /"__proto__"/],
    ['a deep value', `${'['.repeat(600)}${']'.repeat(600)}`, /deeper than 500 levels/],
    [
      'a path without resource',
      JSON.stringify({ ...json, resources: {} }),
      /\/versions\/v1\/paths\/\/notes names no resource/,
    ],
    [
      'a view of itself',
      formatSnapshot(
        changed(({ resources }) => Object.assign(resources.notes ?? {}, { of: 'notes_v1' })),
      ),
      /leads back to itself/,
    ],
    [
      'a wrong date',
      formatSnapshot(
        changed(({ versions }) =>
          Object.assign(versions.v1 ?? {}, { lifecycle: { sunset: 'soon' } }),
        ),
      ),
      /sunset is not a date/,
    ],
  ]

  test.each(refused)('refuses %s', (_, text, message) => {
    expect(() => parseSnapshot(text)).toThrow(message)
    expect(() => parseSnapshot(text)).toThrow(TypeError)
  })

  test('leaves unknown members alone', () => {
    expect(parseSnapshot(JSON.stringify({ ...json, later: 1 }))).toMatchObject({ format: 1 })
  })
})

test('a snapshot does not differ from itself', () => {
  const snapshot = snapshotOf(versions, { nounful })
  expect(changesOf(snapshot, snapshot)).toEqual([])
})

test('reads a snapshot after a byte order mark', () => {
  expect(parseSnapshot(`\uFEFF${formatSnapshot(base)}`)).toEqual(base)
})

describe('a snapshot of a resource with owners', () => {
  const Task = z.object({ id: z.string(), text: z.string(), user_id: z.string() })
  const create = Task.omit({ id: true, user_id: true })
  const snapshotWith = (ownedBy: readonly ['user_id'] | readonly []): Snapshot => {
    const tasks = defineResource('tasks', { schema: Task, create, filled: ['user_id'], ownedBy })
    const api = defineApi({ v1: { '/tasks': tasks } })
    if (ownedBy.length === 0) return snapshotOf(api, { nounful })
    const scoped = defineRegistry(api).scope(() => ({ user_id: 'ann' }))
    const registry = Reflect.apply(scoped.adapters, undefined, [{ tasks: memoryAdapter() }])
    return snapshotOf(registry, { nounful })
  }

  test('names them, and a scope guards the service', () => {
    const { guarded, resources } = snapshotWith(['user_id'])
    expect([guarded, resources.tasks?.ownedBy]).toEqual([true, ['user_id']])
  })

  test('has no owner of what is everybody’s', () => {
    expect(snapshotWith([]).resources.tasks?.ownedBy).toBeNull()
  })

  test('is compared only with one that tells them', () => {
    const after = snapshotWith(['user_id'])
    const { tasks } = after.resources
    const old = JSON.parse(
      JSON.stringify({ ...after, resources: { tasks: { ...tasks, ownedBy: undefined } } }),
    )
    const rules = compareSnapshots(old, after, { on: '2026-11-24', grace: 180 }).map(
      ({ rule }) => rule,
    )
    expect(rules).not.toContain('ownership-set')
  })
})
