import { defineApi, defineRegistry, defineResource } from 'nounful'
import { type MemoryOptions, memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { UncheckedAdapter } from '../../src/contract/resource/adapter.ts'
import {
  type AdapterShape,
  noParents,
  noQuery,
  noScope,
  type Operation,
} from '../../src/contract/resource/operation.ts'
import type { Resource } from '../../src/contract/resource/resource.ts'
import type { OperationKind } from '../../src/convention/operations.ts'
import { closedGate } from '../support/gate.ts'

// The core checks most of this before it calls an adapter. Another request may come between, so the
// storage checks it again: these tests call the adapter itself.

const text = z.string()
const Team = z.object({ id: text })
const Member = z.object({
  id: text,
  name: text,
  team_id: text.nullish(),
  boss_id: text.nullish(),
  code: text.optional(),
  seen: text.optional(),
  revision: z.number().optional(),
})
const teams = defineResource('teams', { schema: Team })
const members = defineResource('members', {
  schema: Member,
  create: Member.omit({ seen: true, revision: true }),
  readOnly: ['seen'],
  revision: 'revision',
  references: { team_id: 'teams', boss_id: 'members' },
})
const api = defineApi({ v1: { '/teams': teams, '/members': members } })

type Member = z.infer<typeof Member>

interface MemberShape extends AdapterShape {
  readonly item: Member
  readonly create: Partial<Member>
}

const ann = { id: 'ann', name: 'Ann', team_id: 'red', code: '1', revision: 1 }
const bob = { id: 'bob', name: 'Bob', team_id: null, boss_id: 'ann', code: '2', revision: 1 }

/** The adapters of teams and members, bound to registries that share them. */
function storageOf(options: Partial<MemoryOptions<MemberShape>> = {}) {
  const memberAdapter = memoryAdapter<MemberShape>({
    items: [ann, bob],
    unique: ['code'],
    ...options,
  })
  const teamAdapter = memoryAdapter<never>({ items: [{ id: 'red' }, { id: 'blue' }] as never })
  for (const _ of ['one registry', 'another'])
    defineRegistry(api).adapters({ teams: teamAdapter, members: memberAdapter } as never)
  const stored: UncheckedAdapter = memberAdapter
  return { members: stored, teams: teamAdapter as UncheckedAdapter }
}

function operationOf(kind: OperationKind, facts: Partial<Operation> = {}): Operation {
  const resource: Resource = members
  return {
    ...{ kind, resource, version: 'v1', path: '/members', scope: noScope, parents: noParents },
    ...{ id: undefined, query: noQuery, item: undefined, items: undefined, ids: undefined },
    ...{ isDryRun: false, isDeprecated: false, maxAffected: undefined, ifRevision: undefined },
    ...{ signal: new AbortController().signal, ...facts },
  }
}

const create = (adapter: UncheckedAdapter, item: object) =>
  adapter.create?.(operationOf('create', { item }), undefined)
const update = (adapter: UncheckedAdapter, item: Member, facts: Partial<Operation> = {}) =>
  adapter.update?.(operationOf('update', { id: item.id, item, ...facts }), undefined)
const updateMany = (adapter: UncheckedAdapter, items: readonly Member[]) =>
  adapter.updateMany?.(operationOf('updateMany', { items }), undefined)
const drop = (adapter: UncheckedAdapter, id: string) =>
  adapter.delete?.(operationOf('delete', { id }), undefined)
const read = (adapter: UncheckedAdapter, id: string) =>
  adapter.read?.(operationOf('read', { id }), undefined)

/** Returns the problem that a function throws. */
function problemOf(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    const { code, message, members } = Object(error)
    return { code, message, ...Object(members) }
  }
}

describe('a create', () => {
  test.each([
    ['whose id is taken', { id: 'ann', name: 'x' }],
    ['whose id and code are taken', { id: 'ann', name: 'x', code: '2' }],
  ])('%s says so without an issue', (_, item) => {
    const { members } = storageOf()
    expect(problemOf(() => create(members, item))).toEqual({
      code: 'conflict',
      message: 'This id is taken: choose another one.',
    })
    expect(read(members, 'ann')).toEqual(ann)
  })

  test('takes the id of onCreate', () => {
    const { members } = storageOf({ onCreate: () => ({ id: 'cid' }) })
    expect(create(members, { name: 'Cid' })).toEqual({ id: 'cid', name: 'Cid', revision: 1 })
  })

  test('keeps the id of the client', () => {
    const { members } = storageOf({ onCreate: () => ({ id: 'dan' }) })
    expect(create(members, { id: 'cid', name: 'Cid' })).toMatchObject({ id: 'cid' })
  })

  test('names each missing reference once', () => {
    const { members } = storageOf()
    const item = { id: 'cid', name: 'Cid', team_id: 'green', boss_id: 'none' }
    const missing = { code: 'reference_not_found', message: 'is the id of no item' }
    expect(problemOf(() => create(members, item))).toMatchObject({
      code: 'validation_failed',
      issues: [
        { pointer: '/boss_id', ...missing },
        { pointer: '/team_id', ...missing },
      ],
    })
  })
})

describe('an update', () => {
  test('of a reference to a missing item changes nothing', () => {
    const { members } = storageOf()
    const moved = { ...ann, team_id: 'green' }
    const issues = [{ pointer: '/team_id', code: 'reference_not_found' }]
    expect(problemOf(() => update(members, moved))).toMatchObject({ issues })
    expect(read(members, 'ann')).toEqual(ann)
  })

  test('that onUpdate leaves incomplete changes nothing', () => {
    const { members } = storageOf({ onUpdate: () => ({ name: undefined as never }) })
    expect(() => update(members, { ...ann, team_id: 'blue' })).toThrow('name')
    expect(read(members, 'ann')).toEqual(ann)
  })

  test('of many compares each revision', () => {
    const { members } = storageOf()
    const stale = [
      { ...ann, name: 'A' },
      { ...bob, revision: 7, name: 'B' },
    ]
    expect(problemOf(() => updateMany(members, stale))).toMatchObject({
      code: 'precondition_failed',
    })
    expect([read(members, 'ann'), read(members, 'bob')]).toEqual([ann, bob])
  })

  test('keeps the read-only fields that the item has, and adds none', () => {
    const seen = { ...ann, seen: 'yes' }
    const { members } = storageOf({ items: [seen, bob] })
    expect(update(members, { ...ann, name: 'A' })).toEqual({ ...seen, name: 'A', revision: 2 })
    expect(Object.keys(Object(update(members, { ...bob, name: 'B' })))).not.toContain('seen')
  })
})

describe('a deletion', () => {
  const referenced = {
    code: 'conflict',
    message: 'Another item still references this one. Delete that item first.',
  }

  test('of an item that another store references changes nothing', () => {
    const { teams } = storageOf()
    expect(problemOf(() => drop(teams, 'red'))).toEqual(referenced)
    expect(read(teams, 'red')).toEqual({ id: 'red' })
    expect(drop(teams, 'blue')).toEqual({ id: 'blue' })
  })

  test('sees the references of items that came after a deletion of all', () => {
    const { members, teams } = storageOf()
    expect(members.deleteAll?.(operationOf('deleteAll'), undefined)).toBe(2)
    expect(create(members, { id: 'eve', name: 'Eve', team_id: 'blue' })).toMatchObject({})
    expect(problemOf(() => drop(teams, 'blue'))).toEqual(referenced)
    expect(drop(teams, 'red')).toEqual({ id: 'red' })
  })

  test('of an item and one of its two referrers leaves both', () => {
    const own = { ...ann, boss_id: 'ann' }
    const { members } = storageOf({ items: [own, bob] })
    expect(problemOf(() => drop(members, 'ann'))).toEqual(referenced)
    expect(drop(members, 'bob')).toEqual(bob)
    expect(drop(members, 'ann')).toEqual(own)
  })
})

describe('a write that waits', () => {
  const modify = (
    adapter: UncheckedAdapter,
    id: string,
    change: (item: Member) => Member | Promise<Member>,
    facts: Partial<Operation> = {},
  ) =>
    adapter.modify?.(operationOf('patch', { id, ...facts }), undefined, (item) =>
      change(item as Member),
    )

  test('holds nobody up after its request has ended', async () => {
    const { members } = storageOf()
    const never = new Promise<Member>(() => undefined)
    const hanging = modify(members, 'ann', () => never, { signal: AbortSignal.abort() })
    expect(hanging).toBeInstanceOf(Promise)
    const next = modify(members, 'ann', (item) => ({ ...item, name: 'A' }))
    expect(await next).toMatchObject({ name: 'A' })
  })

  test('is not overtaken when an earlier one ends', async () => {
    const { members } = storageOf()
    const [first, second] = [closedGate(), closedGate()]
    let calls = 0
    const one = modify(members, 'ann', async (item) => {
      await first.opened
      return item
    })
    const two = modify(members, 'ann', async (item) => {
      calls++
      await second.opened
      return { ...item, name: `${item.name} 2` }
    })
    first.open()
    await one
    await new Promise(setImmediate)
    const three = modify(members, 'ann', (item) => ({ ...item, name: `${item.name} 3` }))
    expect(read(members, 'ann')).toEqual(ann)
    second.open()
    await two
    expect(await three).toMatchObject({ name: 'Ann 2 3' })
    expect(calls).toBe(1)
  })

  test('leaves an item alone that came into its scope meanwhile', async () => {
    const { members } = storageOf({ items: [ann, { ...bob, boss_id: null }] })
    const { open, opened } = closedGate()
    const slow = modify(members, 'ann', async (item) => {
      await opened
      return item
    })
    const scope = { team_id: 'red' }
    const items = [ann, bob].map((item) => ({ ...item, name: 'x', revision: undefined }))
    const writing = members.updateMany?.(operationOf('updateMany', { items, scope }), undefined)
    const moved = { ...bob, boss_id: null, team_id: 'red', revision: 1 }
    expect(update(members, moved)).toMatchObject({ team_id: 'red' })
    open()
    await slow
    expect(await writing).toMatchObject([{ id: 'ann' }, null])
    expect(read(members, 'bob')).toMatchObject({ name: 'Bob' })
  })
})
