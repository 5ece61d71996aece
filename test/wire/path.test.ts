import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineApi } from '../../src/contract/declare/define-api.ts'
import type { Target } from '../../src/contract/resource/api.ts'
import { isId } from '../../src/contract/resource/id.ts'
import { formatPath, itemPath, type PathContext, parsePath } from '../../src/wire/path.ts'
import { api, collectionAt } from '../contract/companies.ts'
import { codeOf, problemOf } from '../contract/thrown.ts'
import { anyTarget } from './calls.ts'

const first: PathContext = { api, defaultVersion: 'v1' }
const named: PathContext = { api, defaultVersion: false }

const companies = collectionAt('/companies')
const employees = collectionAt('/companies/:company_id/employees')
const orders = collectionAt('/companies/:company_id/customers/:customer_id/orders')
const id = undefined

describe('a path alternates nouns and ids', () => {
  // biome-ignore format: a row stays a line
  const paths: readonly (readonly [string, Target])[] = [
    ['/v1/companies', { kind: 'collection', collection: companies, parents: [], id }],
    ['/v1/companies/7', { kind: 'item', collection: companies, parents: [], id: '7' }],
    ['/v1/companies/first', { kind: 'first', collection: companies, parents: [], id }],
    ['/v1/companies/last', { kind: 'last', collection: companies, parents: [], id }],
    ['/v1/companies/count', { kind: 'count', collection: companies, parents: [], id }],
    ['/v1/companies/7/employees', { kind: 'collection', collection: employees, parents: ['7'], id }],
    ['/v1/companies/7/employees/42', { kind: 'item', collection: employees, parents: ['7'], id: '42' }],
    ['/v1/companies/7/employees/count', { kind: 'count', collection: employees, parents: ['7'], id }],
    ['/v1/companies/7/customers/8/orders/9', { kind: 'item', collection: orders, parents: ['7', '8'], id: '9' }],
    ['/v2/employees', { kind: 'collection', collection: collectionAt('/employees', 'v2'), parents: [], id }],
    ['/v1/companies/a%2Fb', { kind: 'item', collection: companies, parents: [], id: 'a/b' }],
    ['/v1/companies/%2F/employees/%252F', { kind: 'item', collection: employees, parents: ['/'], id: '%2F' }],
    ['/v1/companies/%F0%9F%98%80', { kind: 'item', collection: companies, parents: [], id: '😀' }],
    ['/v1/companies/a%20b%3Fc%23d', { kind: 'item', collection: companies, parents: [], id: 'a b?c#d' }],
    ['/v1/companies/...', { kind: 'item', collection: companies, parents: [], id: '...' }],
    ['/v1/companies/First', { kind: 'item', collection: companies, parents: [], id: 'First' }],
    ['/v1/companies/__proto__', { kind: 'item', collection: companies, parents: [], id: '__proto__' }],
    ['/v1/companies/constructor/employees', { kind: 'collection', collection: employees, parents: ['constructor'], id }],
    ['/v1/companies/v2', { kind: 'item', collection: companies, parents: [], id: 'v2' }],
  ]
  for (const [path, target] of paths) {
    test(`reads and writes ${path}`, () => {
      expect(parsePath(path, first)).toEqual(target)
      expect(parsePath(path, named)).toEqual(target)
      expect(formatPath(target)).toBe(path)
    })
  }

  test('what was written is read', () => {
    fc.assert(
      fc.property(anyTarget(), (target) => {
        expect(parsePath(formatPath(target), named)).toEqual(target)
      }),
    )
  })
})

describe('a path may be written otherwise', () => {
  const reads = [
    ['/companies', '/v1/companies'],
    ['/companies/7/employees/42', '/v1/companies/7/employees/42'],
    ['/v1/companies/', '/v1/companies'],
    ['/v1/companies/7/', '/v1/companies/7'],
    ['/v1/companies/first/', '/v1/companies/first'],
    ['/companies/7/employees/', '/v1/companies/7/employees'],
    ['/v1/companies/%66irst', '/v1/companies/first'],
    ['/v1/%63ompanies/%37', '/v1/companies/7'],
    ['/%76%31/companies', '/v1/companies'],
    ['/v1/companies/a%2fb', '/v1/companies/a%2Fb'],
    ['/v1/companies/a+b', '/v1/companies/a%2Bb'],
    ["/v1/companies/!$&'()*+,;=:@", "/v1/companies/!%24%26'()*%2B%2C%3B%3D%3A%40"],
    ['/v1/companies/%2e%2e%2f', '/v1/companies/..%2F'],
  ] as const
  for (const [path, canonical] of reads) {
    test(`reads ${path}`, () => expect(formatPath(parsePath(path, first))).toBe(canonical))
  }
})

describe('a path that names nothing is refused', () => {
  const refuses = [
    ['/', 'unknown_resource'],
    ['//', 'unknown_resource'],
    ['/v1', 'unknown_resource'],
    ['/v1/', 'unknown_resource'],
    ['/v1//', 'unknown_resource'],
    ['/v1//companies', 'unknown_resource'],
    ['//v1/companies', 'unknown_resource'],
    ['/v1/companies//', 'unknown_resource'],
    ['/v1/companies//employees', 'unknown_resource'],
    ['/v1/companies/7//employees', 'unknown_resource'],
    ['/v1/companies/7/employees//', 'unknown_resource'],
    ['/v1/Companies', 'unknown_resource'],
    ['/v1/company', 'unknown_resource'],
    ['/v1/companies%2F7', 'unknown_resource'],
    ['/v1/companies/7/orders', 'unknown_resource'],
    ['/v1/companies/7/employees/8/orders', 'unknown_resource'],
    ['/v1/customers', 'unknown_resource'],
    ['/v1/__proto__', 'unknown_resource'],
    ['/v1/constructor', 'unknown_resource'],
    ['/__proto__/companies', 'unknown_resource'],
    ['/v1/companies/7/__proto__', 'unknown_resource'],
    ['/v1/companies/7/size', 'unknown_resource'],
    ['/V1/companies', 'unknown_resource'],
    ['/version1/companies', 'unknown_resource'],
    ['/v%EF%BC%91/companies', 'unknown_resource'],
    ['/latest/companies', 'unknown_resource'],
    ['/rev2/companies', 'unknown_resource'],
    ['/v2/companies', 'unknown_resource'],
    ['/v0/companies', 'unknown_version'],
    ['/v01/companies', 'unknown_version'],
    ['/v1.0/companies', 'unknown_version'],
    ['/v1e0/companies', 'unknown_version'],
    ['/v3/companies', 'unknown_version'],
    ['/v9999999999999999999999/companies', 'unknown_version'],
    ['/v1%20/companies', 'unknown_version'],
    ['/v1%2Fcompanies', 'unknown_version'],
    ['/v1/companies/last/first', 'unknown_resource'],
    ['', 'bad_path'],
    ['companies', 'bad_path'],
    ['*', 'bad_path'],
    ['?', 'bad_path'],
    ['/.', 'bad_path'],
    ['/..', 'bad_path'],
    ['/v1/companies/.', 'bad_path'],
    ['/v1/companies/..', 'bad_path'],
    ['/v1/companies/../', 'bad_path'],
    ['/v1/./companies', 'bad_path'],
    ['/v1/../v1/companies', 'bad_path'],
    ['/v1/companies/%2e', 'bad_path'],
    ['/v1/companies/%2E%2e/employees', 'bad_path'],
    ['/v1/companies/.%2e', 'bad_path'],
    ['/v1/companies/a b', 'bad_path'],
    ['/v1/companies/a\tb', 'bad_path'],
    ['/v1/companies/a\nb', 'bad_path'],
    ['/v1/companies/a\0', 'bad_path'],
    ['/v1/companies/\u007f', 'bad_path'],
    ['/v1/companies/ä', 'bad_path'],
    ['/v1/companies/\ud800', 'bad_path'],
    ['/v1\\companies', 'bad_path'],
    ['/v1/companies#7', 'bad_path'],
    ['/v1/companies/%', 'bad_percent_encoding'],
    ['/v1/companies/%2', 'bad_percent_encoding'],
    ['/v1/companies/%/2F', 'bad_percent_encoding'],
    ['/v1/companies/%gg', 'bad_percent_encoding'],
    ['/v1/companies/%00', 'bad_percent_encoding'],
    ['/v1/companies/a%00b', 'bad_percent_encoding'],
    ['/v1/companies/%C0%AE%C0%AE', 'bad_percent_encoding'],
    ['/v1/companies/%C0%AF', 'bad_percent_encoding'],
    ['/v1/companies/%ED%A0%80', 'bad_percent_encoding'],
    ['/v1/companies/%FF', 'bad_percent_encoding'],
    ['/%zz/companies', 'bad_percent_encoding'],
  ] as const
  for (const [path, code] of refuses) {
    test(`refuses ${JSON.stringify(path)}`, () => {
      expect(codeOf(() => parsePath(path, first))).toBe(code)
    })
  }

  for (const path of ['/', '/companies', '/latest/companies', '/V1/companies', '/v0/companies']) {
    test(`refuses ${path} where a version must be`, () => {
      expect(problemOf(() => parsePath(path, named))).toMatchObject({
        code: 'unknown_version',
        message: expect.stringContaining(': start the path with /v1 or /v2.'),
        members: { supported: ['v1', 'v2'] },
      })
    })
  }

  test('names the versions as a sentence does', () => {
    const mounts = { '/companies': companies.resource }
    const messageOf = (...versions: readonly string[]) => {
      const api = Reflect.apply(defineApi, null, [
        Object.fromEntries(versions.map((version) => [version, mounts])),
      ])
      return problemOf(() => parsePath('/x', { api, defaultVersion: false })).message
    }
    expect(messageOf('v1')).toBe('No version "x": start the path with /v1.')
    expect(messageOf('v1', 'v2', 'v3')).toBe('No version "x": start the path with /v1, /v2 or /v3.')
  })

  const messages = [
    ['/', 'The path names no resource. Resources here: companies, employees.'],
    ['/v1', 'The path names no resource. Resources here: companies, employees.'],
    ['/v1/companies/7//', 'The path names no resource. Resources here: employees, customers.'],
    ['/v1/company', 'No resource "company". Did you mean "/v1/companies"?'],
    ['/v1/zzz', 'No resource "zzz". Resources here: companies, employees.'],
    ['/employee', 'No resource "employee". Did you mean "/v1/employees"?'],
    [
      '/v1/companies/a%2Fb/customer',
      'No resource "customer". Did you mean "/v1/companies/a%2Fb/customers"?',
    ],
    ['/companies/7/customer', 'No resource "customer". Did you mean "/v1/companies/7/customers"?'],
    ['/v1/employees/7/x', 'No resource "x": nothing stands below an item here.'],
    ['/%zz', 'The path holds an escape that is not "%" and two hexadecimal digits of UTF-8.'],
  ] as const
  for (const [path, message] of messages) {
    test(`says why of ${path}`, () => {
      expect(problemOf(() => parsePath(path, first)).message).toBe(message)
    })
  }

  test('the message names twenty resources at most', () => {
    const paths = Array.from({ length: 21 }, (_, place) => `/n${place}-things` as const)
    const { resource } = companies
    const mounted = paths.map((path) => [path, resource] as const)
    const v1: Record<`/n${number}-things`, typeof resource> = Object.fromEntries(mounted)
    const many = defineApi({ v1 })
    const { message } = problemOf(() => parsePath('/', { api: many, defaultVersion: 'v1' }))
    expect(message).toContain('n19-things')
    expect(message).not.toContain('n20-things')
  })

  test('the message quotes the word, cut', () => {
    const { message } = problemOf(() => parsePath(`/v1/${'x'.repeat(1000)}`, first))
    expect(message).toBe(`No resource "${'x'.repeat(64)}…". Resources here: companies, employees.`)
  })

  test('a missing parent cannot be written', () => {
    const orphan: Target = { kind: 'collection', collection: employees, parents: [], id }
    expect(() => formatPath(orphan)).toThrow('"" is never an id')
  })

  // URL parsers would make the collection or its parent of some of them.
  for (const text of ['', '.', '..', 'first', 'last', 'count', 'a\n', '\ud800', 'x'.repeat(256)]) {
    test(`no path names ${JSON.stringify(text.slice(0, 9))}`, () => {
      expect(() => itemPath('/v1/companies', text)).toThrow('is never an id')
      const target: Target = { kind: 'item', collection: companies, parents: [], id: text }
      expect(() => formatPath(target)).toThrow('is never an id')
      const below: Target = { kind: 'collection', collection: employees, parents: [text], id }
      expect(() => formatPath(below)).toThrow('is never an id')
    })
  }

  test('a number names an item', () => expect(itemPath('/v1/companies', 7)).toBe('/v1/companies/7'))

  test('any text is read or refused', () => {
    const pieces = fc.constantFrom(
      '/', '/', 'v1', 'v2', 'companies', 'employees', 'customers', '7', 'first', '.', '%', '2e',
      '00', '%2F', '\\', ' ', 'ä', '__proto__',
    ) // biome-ignore format: one list
    const path = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: pieces }))
    fc.assert(
      fc.property(path, (text) => {
        try {
          const target = parsePath(`/${text}`, first)
          const ids = target.kind === 'item' ? [...target.parents, target.id] : target.parents
          if (ids.every(isId)) expect(parsePath(formatPath(target), first)).toEqual(target)
          else expect(() => formatPath(target)).toThrow('is never an id')
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProblemError' })
          expect([400, 404]).toContain(Reflect.get(Object(error), 'status'))
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a noun may look like a version', () => {
  const odd = defineApi({ v1: { '/v2employees': collectionAt('/employees').resource } })

  test('and is found where none is needed', () => {
    const { kind } = parsePath('/v2employees', { api: odd, defaultVersion: 'v1' })
    expect(kind).toBe('collection')
  })

  test('and is none where one must be', () => {
    const read = () => parsePath('/v2employees', { api: odd, defaultVersion: false })
    expect(codeOf(read)).toBe('unknown_version')
  })
})
