import type { HttpRequest } from 'nounful'
import type { Violation } from '../faulty-server.ts'
import {
  answering,
  fine,
  type Injected,
  type Item,
  isList,
  listing,
  parameterIn,
  pathOf,
  sending,
  stripped,
} from './tools.ts'

const pattern = /^(home\.|tags)/
const asksFor =
  (written: RegExp) =>
  ({ method, url }: HttpRequest): boolean =>
    method === 'GET' && written.test(url.replaceAll('%3A', ':'))
const isWhole = (request: HttpRequest): boolean =>
  isList(request) && parameterIn(request, 'limit') === undefined

const ignoring = (written: RegExp, isMeant: (request: HttpRequest) => boolean): Violation =>
  sending(
    (request) => isMeant(request) && asksFor(written)(request),
    (request) => stripped(request, pattern),
  )

// Tests the list of each item with the values of the filter.
const finding = (
  meets: (list: readonly string[], values: readonly string[]) => boolean,
): Violation =>
  answering(
    (request, { status }) => isWhole(request) && asksFor(/\?tags:has=/)(request) && status === 200,
    async (reply, request, serve) => {
      const { body } = await serve(stripped(request, pattern))
      const values = new URLSearchParams(request.url.split('?')[1]).getAll('tags:has')
      const items = body as (Item & { readonly tags?: readonly string[] })[]
      return { ...reply, body: items.filter(({ tags = [] }) => meets(tags, values)) }
    },
  )

const texts = asksFor(/home\.city:(contains|startsWith|endsWith)=[A-Z]/)

/** Violations of filters that look into objects and lists. Reading finds them. */
export const nested: readonly Injected[] = [
  ['filter-equal', 'a member is ignored', ignoring(/\?home\.city=\w+$/, isWhole), ['filter-exact']],
  ['filter-unequal', 'an item without an object is not unequal', listing(asksFor(/home\.city:ne=/), (items) => items.filter(({ home }) => home))],
  ['filter-null', 'a missing object has a value', ignoring(/home\.city:null=/, isWhole), ['filter-repeated']],
  ['filter-range', 'numbers of members are compared as text', listing(asksFor(/home\.floor:lt=10$/), (items) => items.filter(() => false))],
  ['filter-part', 'the case of members counts', answering(texts, () => fine([]))],
  ['filter-element', 'a list is ignored', ignoring(/\?tags:has=/, isWhole)],
  ['filter-element', 'a part is an element', finding((list, values) => values.some((value) => list.join().includes(value)))],
  ['filter-element', 'only the first element counts', finding(([first], values) => values.some((value) => value === first))],
  ['filter-element', 'the case of elements counts not', finding((list, values) => values.some((value) => list.some((text) => text.toLowerCase() === value.toLowerCase())))],
  ['filter-element', 'each value has to be an element', finding((list, values) => values.every((value) => list.includes(value)))],
  ['filter-everywhere', 'count ignores lists', ignoring(/tags:has=/, (request) => pathOf(request).endsWith('/count'))],
] // biome-ignore format: a row stays a line
