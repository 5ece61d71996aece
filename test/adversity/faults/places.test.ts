import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapterMethods } from '../../../src/convention/adapter-methods.ts'
import { operationKinds, operations, reservedWords } from '../../../src/convention/operations.ts'
import { afterwards } from '../../support/listening.ts'
import { methodOf } from '../../support/methods.ts'
import { failing, handled, hostileProxy, poisoned, revoked } from '../../support/oddities.ts'
import { type Loose, requestOf } from '../../support/registry.ts'
import {
  calm,
  calmAdapter,
  doors,
  type Reply,
  secret,
  verdictOf,
  World,
  watchProcess,
} from '../../support/world.ts'

const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})

function opened(...given: ConstructorParameters<typeof World>): World {
  const world = new World(...given)
  afterwards(() => world.close())
  return world
}

describe('an adapter that lacks', () => {
  for (const kind of operationKinds) {
    test(`${kind} is asked for nothing of it`, async () => {
      const { [methodOf(kind)]: _, ...rest } = calmAdapter
      const isDerived = reservedWords.some((word) => word === kind)
      const { list, ...bare } = rest as Loose
      const { deleteAll, deleteMany, ...kept } = rest as Loose
      // Either of the two makes DELETE a method of the collection.
      const isClearing = kind === 'deleteAll' || kind === 'deleteMany'
      const world = opened({ adapter: isDerived ? bare : isClearing ? kept : rest })
      for (const door of doors) {
        const reply = await world.ask(door, calm[kind][0])
        expect(verdictOf(reply)).toBe('405 method_not_allowed')
        expect(reply.headers.allow?.split(', ')).not.toContain(operations[kind].method)
        expect(reply.headers.allow?.split(', ')).toContain('OPTIONS')
      }
      expect([world.asked, world.told]).toEqual([[], []])
    })
  }
})

describe('a new id', () => {
  // biome-ignore format: a row stays a line
  const ids: readonly (readonly [id: string, location: string])[] = [
    ['a/b',        '/v1/notes/a%2Fb'],
    ['?#%',        '/v1/notes/%3F%23%25'],
    ['é 😀',       '/v1/notes/%C3%A9%20%F0%9F%98%80'],
    ['__proto__',  '/v1/notes/__proto__'],
    ['First',      '/v1/notes/First'],
    ['...',        '/v1/notes/...'],
    ["<'\">",      "/v1/notes/%3C'%22%3E"],
  ]
  for (const [id, location] of ids) {
    test(`${id} is where it is said to be`, async () => {
      const world = opened()
      for (const door of doors) {
        world.arm('create', () => ({ id, text: 'x' }))
        const { status, headers } = await world.ask(door, calm.create[0])
        expect([status, headers.location]).toEqual([201, location])
        world.arm('read', (operation: { readonly id: unknown }) => ({
          id: operation.id,
          text: 'x',
        }))
        const read = await world.ask(door, ['GET', location])
        expect([read.status, JSON.parse(read.text).id]).toEqual([200, id])
      }
      expect(world.told).toEqual([])
    })
  }
})

test('a hundred thousand items are sent', async () => {
  const world = opened()
  const items = Array.from({ length: 100_000 }, (_, at) => ({ id: `n${at}`, text: 'x' }))
  for (const door of doors) {
    world.arm('list', () => items)
    const reply: Reply = await world.ask(door, calm.list[0])
    expect([reply.status, JSON.parse(reply.text).length]).toEqual([200, items.length])
  }
})

describe('what is read of a parent', () => {
  const Folder = z.object({ id: z.string() })
  const Note = z.object({ id: z.string(), folder_id: z.string(), text: z.string() })
  const folders = defineResource('folders', { schema: Folder })
  const create = Note.omit({ id: true })
  const notes = defineResource('notes', { schema: Note, create })
  const paths = { '/folders': folders, '/folders/:folder_id/notes': notes } as const

  /** The value that a parent is read as, and the verdict of every request below it. */
  // biome-ignore format: a row stays a line
  const reads: readonly (readonly [name: string, read: () => unknown, verdict: string])[] = [
    ['nothing',            () => undefined,                            '404 parent_not_found'],
    ['null',               () => null,                                 '404 parent_not_found'],
    ['another',            () => ({ id: 'f2' }),                       '500 internal_error'],
    ['false',              () => false,                                '500 internal_error'],
    ['true',               () => true,                                 '500 internal_error'],
    ['a text',             () => secret,                               '500 internal_error'],
    ['an array of it',     () => [{ id: 'f1' }],                       '500 internal_error'],
    ['what is poisoned',   poisoned,                                   '500 internal_error'],
    ['what is hostile',    () => hostileProxy(),                       '500 internal_error'],
    ['what is revoked',    () => revoked(),                            '500 internal_error'],
    ['a fault',            failing,                                    '500 internal_error'],
    ['a later fault',      () => handled(Promise.reject(secret)),      '500 internal_error'],
  ]
  for (const [name, read, verdict] of reads) {
    test(`as ${name} is ${verdict}`, async () => {
      const asked: string[] = []
      const told: unknown[] = []
      const noted = Object.fromEntries(
        adapterMethods.map((method) => [method, () => asked.push(method)]),
      )
      const registry = defineRegistry(defineApi({ v1: paths }))
        .onError((error) => void told.push(error))
        .adapters({ folders: { read: read as never }, notes: noted as never })
      for (const kind of operationKinds) {
        const [[method, url, body]] = calm[kind]
        const under = requestOf([method, `/folders/f1${url}`, body])
        const reply = await handle(under, registry)
        expect(`${reply.status} ${Object(reply.body).code}`).toBe(verdict)
        expect(JSON.stringify(reply)).not.toContain(secret)
      }
      expect(asked).toEqual([])
      expect(told).toHaveLength(verdict.startsWith('5') ? operationKinds.length : 0)
    })
  }

  /** The verdicts where an adapter forgets the scope and returns an item of another parent. */
  // biome-ignore format: a row stays a line
  const strangers: Readonly<Record<string, string>> = {
    list: '500', create: '500', updateMany: '500', first: '500', last: '500',
    read: '404', update: '404', delete: '404',
  }
  for (const [kind, status] of Object.entries(strangers)) {
    test(`keeps what is another's from ${kind}`, async () => {
      const stranger = { id: 'n1', folder_id: 'f2', text: secret }
      const strangers = [stranger, { ...stranger, id: 'n2' }]
      const giver = () => (kind === 'list' || kind === 'updateMany' ? strangers : stranger)
      const own = ({ id }: { readonly id?: unknown }) => ({ id, folder_id: 'f1', text: 'x' })
      const read = kind === 'read' ? giver : own
      const registry = defineRegistry(defineApi({ v1: paths }))
        .onError(() => undefined)
        .adapters({ folders: { read: own as never }, notes: { read, [kind]: giver } as never })
      const [[method, url, body]] = calm[kind as keyof typeof calm]
      const reply = await handle(requestOf([method, `/folders/f1${url}`, body]), registry)
      expect([`${reply.status}`, JSON.stringify(reply).includes(secret)]).toEqual([status, false])
    })
  }
})
