import { describe, expect, test } from 'vitest'
import { faultOfNoun, ownerFieldOf } from '../../src/convention/noun.ts'

describe('a collection is called by a plural noun', () => {
  const right = [
    'employees',
    'companies',
    'people',
    'children',
    'data',
    'statuses',
    'orderItems',
    'order-items',
    'order_items',
    'URLs',
    'Employees',
    'employees2go-items',
    'constructors',
    'getaways',
    'findings',
    'addresses',
    'settings',
    'domains',
    'lasts',
    'v1-items',
  ]
  for (const noun of right) {
    test(`${noun} is one`, () => expect(faultOfNoun(noun, false)).toBeUndefined())
  }

  const declared = ['staff', 'equipment', 'series', 'news', 'employee']
  for (const noun of declared) {
    test(`${noun} is one when declared`, () => expect(faultOfNoun(noun, true)).toBeUndefined())
    test(`${noun} alone is none`, () => expect(faultOfNoun(noun, false)).toContain('plural: true'))
  }
})

describe('the message says what to write instead', () => {
  const rows = [
    ['employee', 'is not a plural noun: write "employees", or declare "plural: true" if it is one'],
    ['company', 'write "companies"'],
    ['person', 'write "people"'],
    ['orderItem', 'write "orderItems"'],
    ['order-item', 'write "order-items"'],
    ['order_item', 'write "order_items"'],
    ['employees-of-month', 'write "employees-of-months"'],
    ['Person', 'write "People"'],
    ['URL', 'write "Urls"'],
    ['constructor', 'write "constructors"'],
    ['getEmployees', 'starts with a verb ("get"): the method is the verb, write "employees"'],
    ['get-employees', 'write "employees"'],
    ['get_employee', 'write "employees"'],
    [
      'createOrderItem',
      'starts with a verb ("create"): the method is the verb, write "orderItems"',
    ],
    ['delete-all', 'starts with a verb ("delete")'],
    ['create', 'starts with a verb ("create"): the method is the verb, write a plural noun'],
    ['publish', 'starts with a verb ("publish"): the method is the verb, write "publications"'],
    ['approve_orders', 'write "approvals"'],
    ['archive', 'write "archives"'],
    ['first', 'is a reserved word (first, last, count): use another noun'],
    ['last', 'is a reserved word'],
    ['count', 'is a reserved word'],
    ['v1', 'looks like a version: use a noun'],
    ['v10', 'looks like a version'],
  ] as const
  for (const [noun, message] of rows) {
    test(`for ${noun}`, () => expect(faultOfNoun(noun, false)).toContain(message))
  }

  test('not for a noun that ends like a version', () => {
    expect(faultOfNoun('rev2', true)).toBeUndefined()
  })

  for (const noun of ['first', 'v1', 'getStaff', 'do', 'a b']) {
    test(`for ${noun}, although declared plural`, () => {
      expect(faultOfNoun(noun, true)).toBeDefined()
    })
  }

  const unwritable = [
    '', ' ', 'a b', 'größen', '1employees', '-items', 'items-', 'a--b', 'a/b', 'a.b', '__proto__',
    'a%20b', '😀s', 'ｅmployees', 'items\n',
  ] // biome-ignore format: one list
  for (const noun of unwritable) {
    test(`for ${JSON.stringify(noun)}, which no path holds`, () => {
      expect(faultOfNoun(noun, false)).toBe(
        'cannot be written in a path: use letters, digits, "-" and "_", starting with a letter',
      )
    })
  }
})

describe('a noun names the field that owns', () => {
  const rows = [
    ['companies', 'company_id'],
    ['notes', 'note_id'],
    ['orderItems', 'orderItem_id'],
    ['order-items', 'order_item_id'],
    ['order_items', 'order_item_id'],
    ['staff', 'staff_id'],
    ['ItemURLS', 'ItemUrl_id'],
  ] as const
  for (const [noun, field] of rows) {
    test(`${noun} by ${field}`, () => expect(ownerFieldOf(noun)).toBe(field))
  }
})
