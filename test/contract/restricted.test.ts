import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readRevealed } from '../../src/contract/declare/reveal.ts'

const Worker = z.object({
  id: z.string(),
  team: z.string(),
  salary: z.number(),
  rev: z.number(),
})
const Optional = Worker.omit({ id: true, rev: true }).partial({ salary: true })

const defining = (options: object) => () =>
  defineResource('workers', {
    schema: Worker,
    create: Optional,
    revision: 'rev',
    ...options,
  } as never)

describe('restricted', () => {
  test.each([
    [{ restricted: ['id'] }, 'restricts "id", which is the id: leave it out of "restricted".'],
    [{ restricted: ['rev'] }, 'restricts "rev", which is the revision: leave it out'],
    [{ restricted: ['team'], ownedBy: ['team'] }, 'restricts "team", which is an owner field'],
    [
      { schema: Worker.or(Worker.extend({ pay: z.number() })), restricted: ['pay'] },
      'restricts "pay", which not each alternative of "schema" has: add it there.',
    ],
    [{ restricted: ['team'] }, 'which "create" requires: make it optional there, or write '],
    [{ restricted: 'salary' }, '"restricted"'],
    [{ restricted: ['salary', 'salary'] }, 'names a field twice in "restricted"'],
  ])('refuses %j', (options, message) => {
    expect(defining(options)).toThrow(message)
  })

  test.each([
    { restricted: ['salary'] },
    { restricted: ['salary'], ownedBy: ['team'] },
    { restricted: ['team', 'salary'], filled: ['team'] },
    { restricted: ['team', 'salary'], without: ['create'] },
    {
      restricted: ['team'],
      create: Worker.omit({ rev: true }).extend({ team: z.string().default('a') }),
    },
  ])('takes %j', (options) => {
    expect(defineApi({ v1: { '/workers': defining(options)() as never } })).toBeDefined()
  })

  test('reveals no field of a resource without restricted ones', () => {
    const teams = defineResource('teams', { schema: z.object({ id: z.string() }) })
    const reveal = () =>
      readRevealed({ teams: ['name'] }, defineApi({ v1: { '/teams': teams } }) as never)
    expect(reveal).toThrow(
      '.reveal() names "name" of "teams", which is not restricted: leave the resource out.',
    )
  })

  describe('and a view of it', () => {
    const workers = defineResource('workers', {
      schema: Worker,
      create: Optional,
      revision: 'rev',
      restricted: ['salary'],
    })
    const Staff = z.object({ id: z.string(), pay: z.number(), rev: z.number() })
    const staff = Reflect.apply(defineView, undefined, [
      'staff',
      workers,
      {
        plural: true,
        schema: Staff,
        create: z.object({ pay: z.number().optional() }),
        fields: { pay: 'salary' },
        hidden: { team: 'a' },
      },
    ]) as typeof workers
    const api = defineApi({ v1: { '/staff': staff }, v2: { '/workers': workers } } as never)

    test.each([
      [{ workers: ['salary'] }, ['salary']],
      [{ staff: ['pay'] }, ['salary']],
      [{ staff: ['pay'], workers: [] }, ['salary']],
      [{ staff: [] }, []],
    ])('reveals %j', (given, fields) => {
      expect(readRevealed(given, api)).toEqual(new Map([['workers', fields]]))
    })

    test('names the fields of the view', () => {
      expect(() => readRevealed({ staff: ['salary'] }, api)).toThrow(
        '.reveal() names "salary" of "staff", which is not restricted: use pay.',
      )
    })

    test('answers in both versions', async () => {
      const registry = defineRegistry(api, { defaultVersion: 'v1' })
        .reveal(() => ({ staff: ['pay'] }) as never)
        .adapters({
          workers: memoryAdapter({ items: [{ id: '1', team: 'a', salary: 7, rev: 1 }] as never }),
        } as never)
      for (const [url, field] of [
        ['/v1/staff/1', 'pay'],
        ['/v2/workers/1', 'salary'],
      ]) {
        const { status, body } = await handle({ method: 'GET', url: `${url}` }, registry)
        expect([status, Reflect.get(Object(body), `${field}`)]).toEqual([200, 7])
      }
    })
  })

  test('refuses a path that would tell the value', () => {
    const schema = z.object({ id: z.string(), team_id: z.string().optional() })
    const teams = defineResource('teams', { schema: z.object({ id: z.string() }) })
    const workers = defineResource('workers', { schema, restricted: ['team_id'] })
    const define = () => defineApi({ v1: { '/teams': teams, '/teams/:team_id/workers': workers } })
    expect(define).toThrow(
      'Path "/teams/:team_id/workers" names ":team_id", which "workers" restricts: the path ' +
        'would tell it. Leave it out of "restricted".',
    )
  })

  test.each([
    ['modify', 'update'],
    ['modifyMany', 'updateMany'],
  ])('needs %s for %s without a revision', (method, kind) => {
    const schema = Worker.omit({ rev: true })
    const create = Optional
    const resource = defineResource('workers', { schema, create, restricted: ['salary'] })
    const bind = (given: typeof resource) => () => {
      const adapter = { ...memoryAdapter(), [method]: undefined }
      defineRegistry(defineApi({ v1: { '/workers': given } })).adapters({
        workers: adapter,
      } as never)
    }
    expect(bind(resource)).toThrow(
      `Resource "workers" restricts "salary", so "${kind}" has to keep what is stored: give its ` +
        `adapter "read" and "${method}", declare a "revision", or write "without: ['${kind}']".`,
    )
    const without = [kind] as never
    expect(
      bind(defineResource('workers', { schema, create, restricted: ['salary'], without })),
    ).not.toThrow()
  })
})
