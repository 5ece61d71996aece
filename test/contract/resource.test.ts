import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { operationKinds } from '../../src/convention/operations.ts'
import { refusalOf } from './thrown.ts'

const Employee = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  revision: z.int(),
})
const NewEmployee = Employee.pick({ name: true })

// As a program without types would call it.
function declare(declaration: object, name = 'employees'): unknown {
  return Reflect.apply(defineResource, undefined, [name, { schema: Employee, ...declaration }])
}

describe('a declaration is filled in', () => {
  test('with the documented defaults', () => {
    const { base, hub, ...resource } = defineResource('employees', { schema: Employee })
    expect([base.base, hub]).toEqual([base, base])
    expect(resource).toEqual({
      name: 'employees',
      schema: Employee,
      create: Employee,
      update: Employee,
      id: undefined,
      sortable: [],
      searchable: [],
      readOnly: [],
      filled: [],
      keep: [],
      version: undefined,
      plural: false,
      ownedBy: undefined,
      restricted: [],
      bounded: false,
      idempotent: false,
      putCreates: false,
      filterable: [],
      countable: [],
      folded: [],
      references: [],
      total: undefined,
      maxLimit: 1000,
      defaultLimit: undefined,
      without: [],
    })
  })

  test('and keeps what it says', () => {
    const id = z.uuid()
    const UpdatedEmployee = NewEmployee.partial()
    const declaration = {
      schema: Employee,
      create: NewEmployee,
      update: UpdatedEmployee,
      id,
      sortable: ['name', 'created_at'],
      searchable: ['name'],
      readOnly: ['created_at'],
      filled: ['revision'],
      keep: [],
      plural: true,
      ownedBy: [],
      restricted: [],
      bounded: true,
      idempotent: true,
      putCreates: true,
      filterable: ['name', 'id'],
      countable: [],
      folded: [],
      references: { name: { to: 'names', as: 'title' } },
      total: true,
      maxLimit: 100,
      defaultLimit: 100,
      without: ['count'],
    } as const
    const { base, hub, ...resource } = defineResource('staff', declaration)
    expect(base.name).toBe('staff')
    expect(hub).toBe(base)
    expect(resource).toEqual({
      name: 'staff',
      version: undefined,
      ...declaration,
      filterable: [
        { name: 'name', type: 'text', values: undefined },
        { name: 'id', type: 'id', values: undefined },
      ],
      references: [{ field: 'name', to: 'names', as: 'title' }],
    })
  })

  test('PUT takes what POST takes', () => {
    const { update } = defineResource('employees', { schema: Employee, create: NewEmployee })
    expect(update).toBe(NewEmployee)
  })

  const versions = [
    [undefined, ['revision']],
    [['created_at'], ['created_at', 'revision']],
    [
      ['revision', 'created_at'],
      ['revision', 'created_at'],
    ],
  ] as const
  for (const [readOnly, all] of versions) {
    test(`a version is read-only, beside ${readOnly ?? 'nothing'}`, () => {
      expect(declare({ create: NewEmployee, revision: 'revision', readOnly })).toMatchObject({
        revision: 'revision',
        readOnly: all,
      })
    })
  }

  test('and frozen', () => {
    expect(Object.isFrozen(defineResource('employees', { schema: Employee }))).toBe(true)
  })

  test('a later change to it changes nothing', () => {
    const sortable: 'name'[] = ['name']
    const employees = defineResource('employees', { schema: Employee, sortable })
    sortable.pop()
    expect(employees.sortable).toEqual(['name'])
  })

  for (const name of ['employees_v2', 'employees-v10', 'staff_v2s']) {
    test(`${name} is a name`, () => expect(declare({}, name)).toMatchObject({ name }))
  }

  const schemas = {
    valibot: v.object({ id: v.string() }),
    arktype: type({ id: 'string' }),
  }
  for (const [library, schema] of Object.entries(schemas)) {
    test(`a schema of ${library} is one`, () => expect(declare({ schema })).toBeDefined())
  }

  test.each([
    [{ offers: ['list', 'read'] }, ['list', 'read']],
    [{ offers: ['read', 'update'] }, ['read', 'update', 'patch']],
    [{ offers: ['patch', 'read'] }, ['read', 'patch']],
  ])('%j offers %j', (declaration, kinds) => {
    const { without } = Object(declare(declaration))
    expect(operationKinds.filter((kind) => !without.includes(kind))).toEqual(kinds)
  })

  test('read-only fields are fine without POST', () => {
    expect(declare({ readOnly: ['created_at'], without: ['create'] })).toBeDefined()
  })
})

describe('a name that is no field is refused', () => {
  const meant = '"nam" is no field of "employees". Did you mean "name"?'
  const listed = '"size" is no field of "employees". Its fields: id, name, created_at, revision.'
  // biome-ignore format: a row stays a line
  const rows: [declaration: object, message: string][] = [
    [{ sortable: ['nam'] }, `names "nam" in "sortable": ${meant}`],
    [{ sortable: ['name', 'size'] }, `names "size" in "sortable": ${listed}`],
    [{ searchable: ['nam'] }, `names "nam" in "searchable": ${meant}`],
    [{ filterable: ['nam'] }, `names "nam" in "filterable": ${meant}`],
    [{ filterable: { nam: 'text' } }, `names "nam" in "filterable": ${meant}`],
    [{ readOnly: ['nam'], create: NewEmployee }, `names "nam" in "readOnly": ${meant}`],
    [{ filled: ['nam'] }, `names "nam" in "filled": ${meant}`],
    [{ revision: 'nam', create: NewEmployee }, `names "nam" in "revision": ${meant}`],
    [{ keep: ['nam'] }, `names "nam" in "keep": ${meant}`],
    [{ restricted: ['nam'] }, `names "nam" in "restricted": ${meant}`],
    [{ references: { nam: 'staff' } }, `names "nam" in "references": ${meant}`],
    [{ ownedBy: ['nam'] }, `names "nam" in "ownedBy": ${meant}`],
    [{ sortable: ['nam'], searchable: ['size'] }, `names "nam" in "sortable": ${meant}\nResource "employees" names "size" in "searchable": ${listed}`],
  ]
  for (const [declaration, message] of rows) {
    test(JSON.stringify(declaration).slice(0, 60), () => {
      expect(refusalOf(() => declare(declaration))).toBe(`Resource "employees" ${message}`)
    })
  }

  test('but a field of one alternative is one', () => {
    const schema = Employee.or(Employee.extend({ size: z.number() }))
    expect(declare({ schema, sortable: ['size'] })).toMatchObject({ sortable: ['size'] })
  })

  test('but a schema that takes any field has each', () => {
    expect(declare({ schema: z.looseObject({ id: z.string() }), sortable: ['size'] })).toBeDefined()
  })
})

describe('items that JSON cannot carry are refused', () => {
  const id = z.string()
  const tree = z.object({
    id,
    get children() {
      return z.array(tree)
    },
  })
  // biome-ignore format: a row stays a line
  const rows: [name: string, schema: object, message: string][] = [
    ['no id', z.object({ name: id }), 'Resource "notes" has items without an id: add "id: z.string()" to "schema".'],
    ['number ids', z.object({ id: z.int() }), 'Resource "notes" has ids that are no texts, as in a path: write "id: z.coerce.number()" beside "schema".'],
    ['a Date', z.object({ id, at: z.date() }), 'holds a date in "at", which JSON cannot carry: write a text: "z.iso.datetime()".'],
    ['an optional Date', z.object({ id, at: z.date().nullish() }), 'holds a date in "at"'],
    ['a Date within an object', z.object({ id, at: z.object({ begin: z.date() }) }), 'holds a date in "at"'],
    ['a Date within a list', z.object({ id, at: z.array(z.date()) }), 'holds a date in "at"'],
    ['a text read as a Date', z.object({ id, at: z.iso.datetime().pipe(z.coerce.date()) }), 'holds a date in "at"'],
    ['a Date behind a reference', z.object({ id, tree: z.lazy(() => dated) }), 'holds a date in "tree"'],
    ['a bigint', z.object({ id, n: z.bigint() }), 'holds a bigint in "n", which JSON cannot carry: write a text or a whole number: "z.int()".'],
    ['a Map', z.object({ id, m: z.map(id, id) }), 'holds a map in "m", which JSON cannot carry: write an object: "z.record(…)".'],
    ['a symbol', z.object({ id, s: z.symbol() }), 'holds a symbol in "s", which JSON cannot carry: write another type.'],
    ['a Date of ArkType', type({ id: 'string', at: 'Date' }), 'holds a date in "at"'],
    ['a bigint of ArkType', type({ id: 'string', 'n?': 'bigint' }), 'holds a bigint in "n"'],
  ]
  const dated = z.object({
    at: z.date(),
    get next() {
      return dated.optional()
    },
  })
  for (const [name, schema, message] of rows) {
    test(name, () => {
      expect(refusalOf(() => declare({ schema }, 'notes'))).toContain(message)
    })
  }

  const isEven = (value: number) => value % 2 === 0
  const json = { type: 'object', properties: { id: { type: 'string' } } }
  const output = (asked: object) => ('libraryOptions' in asked ? undefined : json)
  const standard = { ...z.object({ id })['~standard'], jsonSchema: { input: output, output } }
  const withoutOptions = { '~standard': standard }
  const fine: [name: string, declaration: object][] = [
    ['number ids with a schema', { schema: z.object({ id: z.int() }), id: z.coerce.number() }],
    ['text ids of a format', { schema: z.object({ id: z.uuid() }) }],
    ['a tree', { schema: tree }],
    ['any value', { schema: z.object({ id, any: z.any(), custom: z.custom() }) }],
    ['a computed text', { schema: z.object({ id, text: id.transform((text) => text.trim()) }) }],
    ['a rule of ArkType', { schema: type({ id: 'string', even: type('number').narrow(isEven) }) }],
    ['a converter without options', { schema: withoutOptions }],
    ['a pattern of ArkType', { schema: type({ id: 'string', text: 'string.trim' }) }],
  ]
  for (const [name, declaration] of fine) {
    test(`but ${name}`, () => expect(declare(declaration, 'notes')).toBeDefined())
  }
})

describe('a declaration against the convention is refused', () => {
  const open = z.looseObject({ id: z.string() })
  const standard = 'that is no Standard Schema: write it with zod, valibot or arktype.'
  // biome-ignore format: a row stays a line
  const rows = [
    [{}, 'employee', 'Resource "employee" is not a plural noun: write "employees", or declare "plural: true" if it is one.'],
    [{}, 'employee_v2', 'write "employees"'],
    [{}, 'employees_stored', 'does not end with its plural noun: write "stored_employees". Only a version may follow the noun, as in "employees_v2".'],
    [{}, 'employees-v2-stored', 'write "stored_employees"'],
    [{}, 'employees_v', 'write "v_employees"'],
    [{}, 'staff', 'declare "plural: true"'],
    [{}, 'getEmployees', 'starts with a verb ("get")'],
    [{}, 'first', 'is a reserved word'],
    [{ plural: true }, 'count', 'is a reserved word'],
    [{}, 'v1', 'looks like a version'],
    [{}, '__proto__', 'cannot be written in a path'],
    [{ version: 'rev' }, 'employees', 'Resource "employees" has no option "version": it is now "revision".'],
    [{ schema: undefined }, 'employees', `has a "schema" ${standard}`],
    [{ schema: null }, 'employees', `has a "schema" ${standard}`],
    [{ schema: { type: 'object' } }, 'employees', `has a "schema" ${standard}`],
    [{ schema: { '~standard': {} } }, 'employees', `has a "schema" ${standard}`],
    [{ create: {} }, 'employees', `has a "create" ${standard}`],
    [{ update: () => true }, 'employees', `has a "update" ${standard}`],
    [{ id: 'uuid' }, 'employees', `has a "id" ${standard}`],
    [{ id: null }, 'employees', `has a "id" ${standard}`],
    [{ readOnly: ['name'] }, 'employees', 'has read-only fields: declare a "create" schema without them, for POST.'],
    [{ revision: 'revision' }, 'employees', 'declare a "create" schema without them'],
    [{ sortable: ['name', 'name'] }, 'employees', 'names a field twice in "sortable": name it once.'],
    [{ searchable: ['name', 'name'] }, 'employees', 'names a field twice in "searchable"'],
    [{ readOnly: ['name', 'name'], create: NewEmployee }, 'employees', 'names a field twice in "readOnly"'],
    [{ filled: ['name', 'name'] }, 'employees', 'names a field twice in "filled"'],
    [{ sortable: ['__proto__'] }, 'employees', 'names a field "__proto__" in "sortable": objects lose such a field, name it otherwise.'],
    [{ searchable: ['__proto__'] }, 'employees', 'names a field "__proto__" in "searchable"'],
    [{ readOnly: ['__proto__'], create: NewEmployee }, 'employees', 'names a field "__proto__" in "readOnly"'],
    [{ revision: '__proto__', create: NewEmployee }, 'employees', 'names a field "__proto__" in "readOnly"'],
    [{ filled: ['__proto__'] }, 'employees', 'names a field "__proto__" in "filled"'],
    [{ schema: open, sortable: ['-name'] }, 'employees', 'cannot sort by "-name": use a field name without a comma or a leading "-"'],
    [{ schema: open, sortable: ['a,b'] }, 'employees', 'cannot sort by "a,b"'],
    [{ schema: open, sortable: [''] }, 'employees', 'cannot sort by ""'],
    [{ without: ['archive'] }, 'employees', 'is without "archive", which is no operation: name some of list, create, updateMany'],
    [{ without: ['constructor'] }, 'employees', 'is without "constructor"'],
    [{ sortable: 'name' }, 'employees', `Resource "employees" needs a list as "sortable": write "sortable: ['name']".`],
    [{ searchable: { name: true } }, 'employees', 'needs a list as "searchable": write "searchable: […]".'],
    [{ readOnly: 'id' }, 'employees', 'needs a list as "readOnly"'],
    [{ without: 'create' }, 'employees', 'needs a list as "without"'],
    [{ filled: 'name' }, 'employees', `needs a list as "filled": write "filled: ['name']".`],
    [{ sortible: ['name'] }, 'employees', 'Resource "employees" has no option "sortible": write "sortable" if that is meant.'],
    [{ read_only: ['name'] }, 'employees', 'no option "read_only": write "readOnly" if'],
    [{ table: 'people' }, 'employees', 'no option "table": use schema, create, update, id,'],
    [{ references: ['name'] }, 'employees', `needs an object as "references": write "references: { company_id: 'companies' }".`],
    [{ references: { name: 1 } }, 'employees', `references nothing by "name": write "name: 'companies'", a resource's name.`],
    [{ references: { name: {} } }, 'employees', 'references nothing by "name"'],
    [{ references: { name: 'names' } }, 'employees', `includes "name" as "name", which is a field too: write "name: { to: '…', as: '…' }" with another name.`],
    [{ references: { name: { to: 'names', as: 'revision' } } }, 'employees', 'includes "name" as "revision", which is a field too'],
    [{ create: NewEmployee.extend({ boss: z.object({}) }), references: { name: { to: 'names', as: 'boss' } } }, 'employees', 'includes "name" as "boss", which is a field too'],
    [{ update: NewEmployee.extend({ boss: z.object({}) }), references: { name: { to: 'names', as: 'boss' } } }, 'employees', 'includes "name" as "boss", which is a field too'],
    [{ references: { name: { to: 'names', as: '' } } }, 'employees', 'includes "name" as "", which is no name for a member'],
    [{ references: { name: { to: 'names', as: 'a,b' } } }, 'employees', 'which is no name for a member'],
    [{ references: { name: { to: 'names', as: '__proto__' } } }, 'employees', 'which is no name for a member'],
    [{ references: { name: { to: 'names', as: 'one' }, created_at: { to: 'days', as: 'one' } } }, 'employees', 'includes "created_at" as "one", as another reference'],
    [{ maxLimit: 0 }, 'employees', 'has a "maxLimit" of 0: use a whole number from 1.'],
    [{ maxLimit: 1.5 }, 'employees', 'has a "maxLimit" of 1.5'],
    [{ maxLimit: Number.POSITIVE_INFINITY }, 'employees', 'has a "maxLimit" of Infinity'],
    [{ defaultLimit: 0 }, 'employees', 'has a "defaultLimit" of 0: use a whole number from 1 to 1000, its "maxLimit".'],
    [{ defaultLimit: Number.NaN }, 'employees', 'has a "defaultLimit" of NaN'],
    [{ offers: 'list' }, 'employees', `needs a list as "offers": write "offers: ['list']".`],
    [{ offers: ['archive'] }, 'employees', 'offers "archive", which is no operation: name some of list, create'],
    [{ offers: ['list'], without: ['count'] }, 'employees', 'has "offers" and "without": keep one of them.'],
    [{ offers: [] }, 'employees', 'offers no operation: leave some out of "without", or name some in "offers".'],
    [{ without: [...operationKinds] }, 'employees', 'offers no operation: leave some out of "without"'],
    [{ bounded: true, without: ['deleteAll'] }, 'employees', 'has "bounded", but offers no "deleteAll": leave "bounded" out.'],
    [{ total: false, offers: ['read'] }, 'employees', 'has "total", but offers no "list": leave "total" out.'],
    [{ idempotent: true, offers: ['read'] }, 'employees', 'has "idempotent", but offers no "create": leave "idempotent" out.'],
    [{ putCreates: true, offers: ['update'] }, 'employees', 'has "putCreates", but offers no "create": leave "putCreates" out.'],
    [{ putCreates: true, without: ['update'] }, 'employees', 'has "putCreates", but offers no "update": leave "putCreates" out.'],
    [{ putCreates: true, ids: 'counted' }, 'employees', 'has "putCreates", but its database counts the ids: leave "putCreates" or "ids" out.'],
    [{ maxLimit: 10, defaultLimit: 11 }, 'employees', 'has a "defaultLimit" of 11: use a whole number from 1 to 10'],
  ] as const
  for (const [declaration, name, message] of rows) {
    test(`${name} with ${JSON.stringify(Object.entries(declaration))}`, () => {
      expect(refusalOf(() => declare(declaration, name))).toContain(message)
    })
  }

  for (const as of ['id', 'owner', 'team_id']) {
    test(`an included member "${as}", where the schema does not tell its fields`, () => {
      const references = { owner: { to: 'staff', as }, team_id: 'teams' }
      const run = () => declare({ schema: z.looseObject({}), references }, 'notes')
      expect(refusalOf(run)).toContain(`includes "owner" as "${as}", which is a field too`)
    })
  }

  test('without a name', () => {
    const run = () => Reflect.apply(defineResource, undefined, [{ schema: Employee }])
    expect(refusalOf(run)).toBe(
      'A resource needs a name: write defineResource("notes", { schema: … }).',
    )
  })

  for (const declaration of [undefined, null, 'schema', [Employee]]) {
    test(`for ${JSON.stringify(declaration)} as a declaration`, () => {
      const run = () => Reflect.apply(defineResource, undefined, ['notes', declaration])
      expect(refusalOf(run)).toBe(
        'Resource "notes" has no declaration: write defineResource("notes", { schema: … }).',
      )
    })
  }
})

describe('a declaration with several faults', () => {
  test('is told all of them, each on its line', () => {
    const declaration = {
      sortable: 'name',
      searchable: ['name', 'name'],
      without: ['archive'],
      bounded: true,
      maxLimit: 0,
      filterable: ['a:b'],
      references: { boss_id: 'staff' },
      keep: ['id', 'title'],
      restricted: ['id', 'title'],
      ownedBy: ['title', 'id'],
      tabel: 'x',
      tables: 'x',
    }
    const lines = refusalOf(() => declare(declaration, 'employee')).split('\n')
    for (const line of lines) expect(line).toMatch(/^Resource "employee" .+\.$/)
    const words = lines.map((line) => line.slice('Resource "employee" '.length))
    expect(words.map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual([
      'has no option "tabel":',
      'has no option "tables":',
      'needs a list as',
      'names "a:b" in "filterable":',
      'names "title" in "keep":',
      'names "title" in "restricted":',
      'names "boss_id" in "references":',
      'names "title" in "ownedBy":',
      'is not a plural',
      'names a field twice',
      'is without "archive", which',
      'has a "maxLimit" of',
      'restricts "id", which is',
      'keeps "id", which is',
    ])
  })

  test('is told its schemas alone where they are none', () => {
    const lines = refusalOf(() => declare({ schema: 1, update: 2, keep: ['id'] })).split('\n')
    const standard = 'that is no Standard Schema: write it with zod, valibot or arktype.'
    expect(lines).toEqual(
      ['schema', 'update'].map((key) => `Resource "employees" has a "${key}" ${standard}`),
    )
  })
})
