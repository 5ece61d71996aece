import { fieldOf, isRecord, isSame, putField } from '../../convention/value.ts'

/** An object on its way from one version to another. */
export type Fields = Record<string, unknown>

/** A field that a write through a view cannot store, and what is wrong with its value. */
export interface Unwritten {
  readonly field: string
  readonly message: string
}

/** The base item that a write through a view makes, or the fields that it cannot write. */
export type Written =
  | {
      readonly item: Fields
      /** The base fields of those that the client named. */
      readonly named: readonly string[]
      readonly faults?: undefined
    }
  | { readonly item?: undefined; readonly faults: readonly Unwritten[] }

/** How one field of a view comes from a base item. */
export interface Reader {
  readonly field: string
  /** The base field; `undefined` for none or several. */
  readonly source: string | undefined
  /** Makes the value from that of the source; `undefined` where it is the same. */
  readonly show: ((value: unknown, base: object) => unknown) | undefined
}

/** How some fields of a view and some base fields come from each other. */
export interface Link {
  /** The form of the option `fields`, by its member. */
  readonly form: 'name' | 'values' | 'absent' | 'join' | 'part' | 'in' | 'read' | 'always'
  /** The fields of the view. */
  readonly fields: readonly string[]
  /** The base fields. */
  readonly of: readonly string[]
  /** The values are the same: a store can sort by them. */
  readonly isPlain: boolean
  /** The base field holds the words of the view's field, and no others. */
  readonly isSearched: boolean
  /** The base values of each value of the view, for a link by a table. */
  readonly table: ReadonlyMap<unknown, readonly unknown[]> | undefined
  /** The member of a base object that the link reaches; `undefined` for a whole value. */
  readonly member?: string
  /** The value that stands for a missing one of the view. */
  readonly absent: unknown
  /** How each field of the view is read. */
  readonly readers: readonly Reader[]
  /** Sets the base fields; `undefined` for a link that can only be read. */
  readonly write: ((view: object, base: Fields) => void) | undefined
}

/** Makes the link of a field with the same values: the same name, or another. */
export function plainLink(field: string, source: string): Link {
  return {
    form: 'name',
    fields: [field],
    of: [source],
    isPlain: true,
    isSearched: true,
    table: undefined,
    absent: undefined,
    readers: [{ field, source, show: undefined }],
    write: (view, base) => putField(base, source, fieldOf(view, field)),
  }
}

/** The members of a link that has no table and no stand-in, and is neither plain nor searched. */
export const derivedMembers = {
  isPlain: false,
  isSearched: false,
  table: undefined,
  absent: undefined,
}

/** Makes a link by a table: `{ of: 'state', values: { active: true, left: false } }`. */
export function tableLink(
  field: string,
  source: string,
  { values, types }: { readonly values: object; readonly types: readonly string[] },
): Link {
  const entries = Object.entries(values).map(
    ([key, value]) => [parseKey(key, types), value] as const,
  )
  const read = new Map<unknown, unknown>(entries)
  const table = new Map<unknown, readonly unknown[]>()
  for (const [key, value] of entries) table.set(value, [...(table.get(value) ?? []), key])
  const show = (value: unknown): unknown => {
    if (value === undefined || value === null) return value
    const viewValue = read.get(value)
    if (viewValue === undefined && !read.has(value))
      throw new TypeError(
        `"values" of "${field}" has no ${JSON.stringify(value)}, which an item has: add it.`,
      )
    return viewValue
  }
  return {
    ...derivedMembers,
    form: 'values',
    fields: [field],
    of: [source],
    table,
    readers: [{ field, source, show }],
    write(view, base) {
      const value = fieldOf(view, field)
      const entry = entries.find(([, viewValue]) => isSame(viewValue, value))
      const isNone = value === undefined || value === null
      // Another value does not read back equal.
      if (entry ?? isNone) putField(base, source, entry ? entry[0] : value)
    },
  }
}

// The keys of an object are text.
function parseKey(key: string, types: readonly string[]): unknown {
  if (types.includes('boolean') && (key === 'true' || key === 'false')) return key === 'true'
  const isNumber = types.includes('number') && key !== '' && !Number.isNaN(Number(key))
  return isNumber ? Number(key) : key
}

/** Makes a link where one side may have no value: `{ of: 'country', absent: 'US' }`. */
export function absentLink(field: string, source: string, absent: unknown): Link {
  return {
    ...derivedMembers,
    form: 'absent',
    fields: [field],
    of: [source],
    absent,
    readers: [{ field, source, show: (value) => value ?? absent }],
    write: (view, base) => putField(base, source, fieldOf(view, field) ?? absent),
  }
}

/** A member of an object, for a link. */
interface Member {
  readonly source: string
  readonly member: string
  /** The value that stands for no object; an object without members where it has to be one. */
  readonly none: unknown
}

/** Makes the link of a member of an object: `{ in: 'address', field: 'city' }`. */
export function memberLink(field: string, { source, member, none }: Member): Link {
  return {
    ...derivedMembers,
    form: 'in',
    fields: [field],
    of: [source],
    member,
    readers: [
      { field, source, show: (object) => (isRecord(object) ? fieldOf(object, member) : undefined) },
    ],
    write(view, base) {
      const object = fieldOf(base, source)
      const value = fieldOf(view, field)
      if (value === undefined && !isRecord(object)) return
      const newObject: Fields = isRecord(object) ? { ...object } : {}
      putField(newObject, member, value)
      putField(base, source, Object.keys(newObject).length === 0 ? none : newObject)
    },
  }
}

/** The fields of a link whose missing values read as `null`. */
interface NullFields {
  readonly fields: readonly string[]
  /** The base field may hold `null`. */
  readonly isStored: boolean
}

/** Makes a link whose missing values read as `null` in some fields. */
export function nullLink(link: Link, { fields, isStored }: NullFields): Link {
  const { readers, write } = link
  if (fields.length === 0) return link
  const writtenValue = (view: object, field: string): unknown => {
    const value = fieldOf(view, field)
    return value === null && !isStored && fields.includes(field) ? undefined : value
  }
  return {
    ...link,
    readers: readers.map((reader) => {
      const { field, show = (value: unknown) => value } = reader
      if (!fields.includes(field)) return reader
      return { ...reader, show: (value, base) => show(value, base) ?? null }
    }),
    write:
      write &&
      ((view, base) => {
        const names = Object.keys(view)
        write(Object.fromEntries(names.map((name) => [name, writtenValue(view, name)])), base)
      }),
  }
}

/** Functions of the user. */
interface Functions {
  readonly read: (value: unknown) => unknown
  readonly write: ((value: unknown) => unknown) | undefined
}

/** Makes a link by functions of one field: `{ of: 'cents', read, write }`. */
export function functionLink(field: string, source: string, { read, write }: Functions): Link {
  return {
    ...derivedMembers,
    form: 'read',
    fields: [field],
    of: [source],
    readers: [{ field, source, show: (value) => read(value) }],
    write: write && ((view, base) => putField(base, source, write(fieldOf(view, field)))),
  }
}

/** Makes the link of a field that storage no longer has: `{ always: null }`. */
export function constantLink(field: string, value: unknown): Link {
  return {
    ...derivedMembers,
    form: 'always',
    fields: [field],
    of: [],
    absent: value,
    readers: [{ field, source: undefined, show: () => value }],
    write: () => undefined,
  }
}
