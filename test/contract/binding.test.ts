import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { bind } from '../../src/contract/resource/binding.ts'
import { adapterMethods } from '../../src/convention/adapter-methods.ts'
import { idle, orders } from './companies.ts'
import { refusalOf } from './thrown.ts'

const Log = z.object({ id: z.string() })
const logs = defineResource('logs', { schema: Log })
const { list, create, read, update, updateMany } = idle

describe('a binding offers what both support', () => {
  const targets = ['collection', 'item', 'first', 'last', 'count'] as const
  const allowed = (binding: ReturnType<typeof bind>) =>
    targets.map((target) => binding.methods.get(target)?.allow)

  const reserved = 'GET, HEAD, OPTIONS'
  // biome-ignore format: a row stays a line
  const rows = [
    ['everything', idle, ['GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS', reserved, reserved, reserved]],
    ['list alone', { list }, [reserved, 'OPTIONS', reserved, reserved, reserved]],
    ['create alone', { create }, ['POST, OPTIONS', 'OPTIONS', 'OPTIONS', 'OPTIONS', 'OPTIONS']],
    ['read and count', { read, count: () => 0 }, ['OPTIONS', reserved, 'OPTIONS', 'OPTIONS', reserved]],
  ] as const
  for (const [name, adapter, allow] of rows) {
    test(`of an adapter with ${name}`, () => expect(allowed(bind(logs, adapter))).toEqual(allow))
  }

  test('of a resource that goes without some', () => {
    const appended = defineResource('logs', {
      schema: Log,
      without: ['update', 'patch', 'count', 'first'],
    })
    expect(allowed(bind(appended, idle))).toEqual([
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'GET, HEAD, DELETE, OPTIONS',
      'OPTIONS',
      reserved,
      'OPTIONS',
    ])
  })

  test('HEAD is GET', () => {
    const { kinds } = bind(logs, idle).methods.get('collection') ?? {}
    expect([...(kinds ?? [])]).toEqual([
      ['GET', 'list'],
      ['HEAD', 'list'],
      ['POST', 'create'],
      ['PUT', 'updateMany'],
      ['PATCH', 'patchMany'],
      ['DELETE', 'deleteAll'],
      ['DELETE?', 'deleteMany'],
    ])
  })

  test('a method of a class is one', () => {
    class Storage {
      list(): never[] {
        return []
      }
    }
    const adapter = new Storage()
    expect(bind(logs, adapter)).toMatchObject({ resource: logs, adapter })
  })
})

describe('an adapter that cannot do is refused', () => {
  test('with nothing', () => {
    expect(refusalOf(() => bind(logs, {}))).toBe(
      `The adapter of "logs" does nothing: give it some of ${adapterMethods.join(', ')}.`,
    )
  })

  test('with nothing but what is not offered', () => {
    const silent = defineResource('logs', { schema: Log, without: ['create'] })
    expect(refusalOf(() => bind(silent, { create }))).toContain('does nothing')
  })

  test('with what is no method', () => {
    const adapter = Object.assign({}, { list: 'all' })
    expect(refusalOf(() => Reflect.apply(bind, undefined, [logs, adapter]))).toContain(
      'does nothing',
    )
  })

  const needsRead =
    '"orders" has read-only fields or a revision: give its adapter the "read" that they need.'
  const doers = [{ update }, { updateMany }, { list, create, update }, { delete: idle.delete }]
  for (const adapter of doers) {
    test(`with ${Object.keys(adapter)} but no read`, () => {
      expect(refusalOf(() => bind(orders, adapter))).toBe(needsRead)
    })
  }

  for (const adapter of [
    { list, create },
    { read, update },
    { read, delete: idle.delete },
  ]) {
    test(`not with ${Object.keys(adapter)}`, () => {
      expect(bind(orders, adapter).adapter).toBe(adapter)
    })
  }
})
