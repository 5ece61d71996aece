import { fieldOf, putField } from '../../convention/value.ts'
import { derived, type Link } from '../resource/link.ts'

/** Splits a text at its first or last space. */
function split(text: unknown, at: unknown): readonly [string, string] {
  if (typeof text !== 'string') return ['', '']
  const place = at === 'first' ? text.indexOf(' ') : text.lastIndexOf(' ')
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)]
}

function joined(values: readonly unknown[]): string | undefined {
  if (values.every((value) => value === undefined || value === null)) return undefined
  return values.filter((value) => typeof value === 'string' && value !== '').join(' ')
}

/** Makes a link of a text that is made of two: `{ join: ['first', 'last'], split: 'last' }`. */
export function joinLink(field: string, sources: readonly string[], at: unknown): Link {
  const show = (_: unknown, base: object): string | undefined =>
    joined(sources.map((source) => fieldOf(base, source)))
  return {
    ...derived,
    form: 'join',
    fields: [field],
    of: sources,
    isSearched: true,
    readers: [{ field, source: undefined, show }],
    write(view, base) {
      const text = fieldOf(view, field)
      const halves = split(text, at)
      for (const [place, source] of sources.entries())
        putField(base, source, text === undefined ? undefined : halves[place])
    },
  }
}

/** Makes the link of the halves of one text: `{ part: 0, of: 'name', split: 'last' }`. */
export function partsLink(
  fields: readonly (string | undefined)[],
  source: string,
  at: unknown,
): Link {
  const named = fields.filter((field) => field !== undefined)
  return {
    ...derived,
    form: 'part',
    fields: named,
    of: [source],
    isSearched: named.length === 2,
    readers: [0, 1].flatMap((place) => {
      const field = fields[place]
      const show = (text: unknown): unknown =>
        typeof text === 'string' ? split(text, at)[place] : text
      return field === undefined ? [] : [{ field, source, show }]
    }),
    write(view, base) {
      const storedHalves = split(fieldOf(base, source), at)
      const halves = storedHalves.map((half, place) => {
        const field = fields[place]
        // Nothing is left of a text whose other half is empty.
        if (field === undefined) return half === '' ? undefined : half
        return fieldOf(view, field)
      })
      putField(base, source, joined(halves) ?? (halves.includes(null) ? null : undefined))
    },
  }
}
