import type { ContractRow } from './features.ts'
import { amountOf, type Field, field, fieldsOf } from './fields.ts'

/** An item or a body: plain JSON. */
export type Item = Readonly<Record<string, unknown>>

/** The things of one version, or as they are stored. */
export interface Level {
  /** The name of the resource. */
  readonly name: string
  readonly fields: readonly Field[]
  /** Returns the names here of a stored field that has the same values: none or one. */
  readonly namesOf: (stored: string) => readonly string[]
  /** The fields here that a filter compares, though they have other values. */
  readonly tabled: readonly string[]
  /** The fields here that a search looks into, though they have other values. */
  readonly worded: readonly string[]
  /** The fields here that only the server sets, by this form. */
  readonly computed: readonly string[]
  readonly links: Item
  readonly hidden: Item
  /** Returns a body here of the body that a client of the stored resource would send. */
  readonly bodyOf: (stored: Item) => Item
}

/** Returns the value of a field, or of the member `address.city`; `null` for a missing one. */
export function valueAt(item: Item, name: string): unknown {
  const [field = '', member] = name.split('.')
  const value = item[field] ?? null
  return member === undefined ? value : (Object(value)[member] ?? null)
}

/** One field, or two, that a view shows in another form. */
interface Form {
  readonly drops: readonly string[]
  readonly adds: readonly Field[]
  readonly names?: Readonly<Record<string, string>>
  readonly tabled?: readonly string[]
  readonly worded?: readonly string[]
  readonly computed?: readonly string[]
  readonly links?: Item
  readonly hidden?: Item
  /** Returns the added members of a body. */
  readonly body?: (source: Item) => Item
}

const nothing: Form = { drops: [], adds: [] }
const split = 'last'
const reversed = (value: unknown): string => [...String(value)].reverse().join('')

type Forms<Name extends 'text' | 'form'> = Readonly<Record<ContractRow[Name], Form>>

const texts: Forms<'text'> = {
  same: nothing,
  rename: {
    drops: ['title'],
    adds: [field('name', 'text')],
    names: { title: 'name' },
    links: { name: 'title' },
    body: ({ title }) => ({ name: title }),
  },
  join: {
    drops: ['first', 'last'],
    adds: [field('full', 'text')],
    worded: ['full'],
    links: { full: { join: ['first', 'last'], split } },
    body: ({ first, last }) => ({ full: `${first} ${last}` }),
  },
  part: {
    drops: ['title'],
    adds: [field('head', 'text'), field('tail', 'text')],
    worded: ['head', 'tail'],
    links: { head: { part: 0, of: 'title', split }, tail: { part: 1, of: 'title', split } },
    body: ({ title }) => {
      const [head, tail] = String(title).split(' ')
      return { head, tail }
    },
  },
  function: {
    drops: ['title'],
    adds: [field('name', 'text')],
    links: { name: { of: 'title', read: reversed, write: reversed } },
    body: ({ title }) => ({ name: reversed(title) }),
  },
  constant: { drops: ['title'], adds: [], hidden: { title: 'untitled' } },
  computed: {
    drops: ['title'],
    adds: [],
    hidden: { title: ({ first }: Item) => `title ${first}` },
  },
}

function formsOf(amount: string): Forms<'form'> {
  const read = (value: unknown): string => `#${value}`
  return {
    same: nothing,
    values: {
      drops: ['state'],
      adds: [field('isOpen', 'boolean')],
      tabled: ['isOpen'],
      links: { isOpen: { of: 'state', values: { open: true, paid: false, void: false } } },
      body: ({ state }) => ({ isOpen: state === 'open' }),
    },
    absent: {
      drops: ['note'],
      adds: [field('note', 'text')],
      links: { note: { of: 'note', absent: '-' } },
      body: ({ note = '-' }) => ({ note }),
    },
    member: {
      drops: ['address'],
      adds: [field('city', 'text')],
      links: { city: { in: 'address', field: 'city' } },
      body: ({ address }) => ({ city: Object(address).city }),
    },
    read: {
      drops: [amount],
      adds: [field('label', 'text', { inCreate: 'never', inUpdate: 'never' })],
      computed: ['label'],
      links: { label: { of: amount, read } },
      hidden: { [amount]: 1 },
    },
    always: {
      drops: [],
      adds: [field('fax', 'nothing')],
      links: { fax: { always: null } },
      body: () => ({ fax: null }),
    },
    hidden: { drops: [amount], adds: [], hidden: { [amount]: 1 } },
  }
}

// A further name, so that a chain has a link at each step.
const coded: Form = {
  drops: ['code'],
  adds: [field('word', 'text', { isRequired: false })],
  names: { code: 'word' },
  links: { word: 'code' },
  body: ({ code }) => (code === undefined ? {} : { word: code }),
}

function without(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))
}

/** Returns the things as they are stored. */
function storedLevel(name: string, row: ContractRow): Level {
  const fields = fieldsOf(row)
  return {
    name,
    fields,
    namesOf: (stored) => [stored],
    tabled: [],
    worded: [],
    computed: [],
    links: {},
    hidden: {},
    bodyOf: (stored) => stored,
  }
}

function viewOf(source: Level, name: string, forms: readonly Form[]): Level {
  const drops = forms.flatMap((form) => form.drops)
  const all = (key: 'tabled' | 'worded' | 'computed') => forms.flatMap((form) => form[key] ?? [])
  const here = (names: readonly string[]) => names.filter((name) => !drops.includes(name))
  const renamed: Readonly<Record<string, string>> = Object.assign(
    {},
    ...forms.map((form) => form.names ?? {}),
  )
  return {
    name,
    fields: [
      ...source.fields.filter((one) => !drops.includes(one.name)),
      ...forms.flatMap((form) => form.adds),
    ],
    namesOf: (stored) =>
      source
        .namesOf(stored)
        .flatMap((one) => renamed[one] ?? (drops.includes(one.replace(/\..*/, '')) ? [] : one)),
    tabled: [...here(source.tabled), ...all('tabled')],
    worded: [...here(source.worded), ...all('worded')],
    computed: [...here(source.computed), ...all('computed')],
    links: Object.assign({}, ...forms.map((form) => form.links ?? {})),
    hidden: Object.assign({}, ...forms.map((form) => form.hidden ?? {})),
    bodyOf: (stored) => {
      const body = source.bodyOf(stored)
      return Object.assign(without(body, drops), ...forms.map((form) => form.body?.(body) ?? {}))
    },
  }
}

/** The things of a contract: as they are stored, and in each version. */
export interface Levels {
  readonly stored: Level
  /** By version; the last one is the newest. */
  readonly shown: readonly (readonly [version: `v${number}`, level: Level])[]
}

/** Returns the levels of a contract. */
export function levelsOf(row: ContractRow): Levels {
  const text = texts[row.text]
  const form = formsOf(amountOf(row))[row.form]
  switch (row.versions) {
    case 'one':
    case 'same': {
      const stored = storedLevel('things', row)
      const versions = row.versions === 'one' ? (['v1'] as const) : (['v1', 'v2'] as const)
      return { stored, shown: versions.map((version) => [version, stored]) }
    }
    case 'view': {
      const stored = storedLevel('things_v2', row)
      return {
        stored,
        shown: [
          ['v1', viewOf(stored, 'things', [text, form])],
          ['v2', stored],
        ],
      }
    }
    case 'hidden': {
      const stored = storedLevel('stored_things', row)
      return {
        stored,
        shown: [
          ['v1', viewOf(stored, 'things', [text, form])],
          ['v2', viewOf(stored, 'things_v2', [])],
        ],
      }
    }
    case 'chain': {
      const stored = storedLevel('things_v3', row)
      const middle = viewOf(stored, 'things_v2', [text, coded])
      return {
        stored,
        shown: [
          ['v1', viewOf(middle, 'things', [form])],
          ['v2', middle],
          ['v3', stored],
        ],
      }
    }
  }
}
