import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText, sortedTexts } from '../canonical.ts'
import { placeOf, type ResourcePair } from './context.ts'
import { type FoundChange, found } from './found.ts'

/** Compares how a view comes from the resource that it shows. */
export function compareLinks(pair: ResourcePair): readonly FoundChange[] {
  const at = pair.mounts.map(placeOf).join(', ')
  const { old, new: after } = pair
  if (old.of === null && after.of === null) return []
  if (old.of === null || after.of === null) {
    const [from, to] = [old.of, after.of]
    const rule = from === null ? 'view-made' : 'view-unmade'
    const message =
      from === null ? `it is a view of "${to}" now` : `it is no view of "${from}" any more`
    return [found(rule, at, { from, to, message })]
  }
  const [from, to] = [old.of, after.of]
  const message = `it shows "${to}", it was "${from}"`
  const moved = from === to ? [] : [found('view-of-changed', at, { from, to, message })]
  return [...moved, ...linkChanges(pair, at), ...hiddenChanges(pair, at), ...offerChanges(pair, at)]
}

function linkChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  return sortedTexts([...Object.keys(old.fields), ...Object.keys(after.fields)]).flatMap(
    (field) => {
      // A field without a link has a source of its own name.
      const from = memberOf(old.fields, field) ?? field
      const to = memberOf(after.fields, field) ?? field
      if (canonicalText(from) === canonicalText(to)) return []
      const message = `"${field}" is made of ${said(to)}, it was ${said(from)}`
      return [found('view-link-changed', `${at} item /${field}`, { from, to, message })]
    },
  )
}

function hiddenChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  return sortedTexts([...Object.keys(old.hidden), ...Object.keys(after.hidden)]).flatMap(
    (field) => {
      const from = memberOf(old.hidden, field)
      const to = memberOf(after.hidden, field)
      const place = `${at} create`
      if (from === undefined) {
        const message = `new items get ${said(to)} in the hidden field "${field}"`
        return [found('view-hides-more', place, { to: { [field]: to ?? null }, message })]
      }
      if (to === undefined) {
        const message = `new items got ${said(from)} in the hidden field "${field}"`
        return [found('view-hides-less', place, { from: { [field]: from }, message })]
      }
      if (canonicalText(from) === canonicalText(to)) return []
      const message = `new items get ${said(to)} in "${field}", it was ${said(from)}`
      const facts = { from: { [field]: from }, to: { [field]: to }, message }
      return [found('view-initial-changed', place, facts)]
    },
  )
}

function offerChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  const { offers: from = [] } = old
  const { offers: to = [] } = after
  const more = to.filter((kind) => !from.includes(kind))
  const less = from.filter((kind) => !to.includes(kind))
  return [
    ...more.map((kind) => {
      const message = `the view reopens ${kind}, which "${after.of}" does not offer`
      return found('view-reopens', at, { to: kind, message })
    }),
    ...less.map((kind) => {
      const message = `the view no longer reopens ${kind}`
      return found('view-reopens-less', at, { from: kind, message })
    }),
  ]
}

function memberOf(object: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function said(value: Json | undefined): string {
  return JSON.stringify(value ?? null)
}
