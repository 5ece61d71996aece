import type { Collection } from '../contract/resource/api.ts'
import { listOf } from '../contract/schema/json-schema.ts'
import {
  type ParameterName,
  type ParameterRow,
  parameters as table,
} from '../convention/operations.ts'
import { isRecord } from '../convention/value.ts'
import type { WrittenPair } from '../wire/filter.ts'
import { rowsFor } from '../wire/meaning.ts'
import { methodsFor } from '../wire/request.ts'
import { hiddenInput } from './filters.ts'
import { type HtmlContent, html } from './html.ts'
import { type PageParameters, pairsOfUrl, type TargetPage, urlOf } from './page-data.ts'

/** Writes a form that chooses the items to include. It works without the script. */
export function includesFormOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  const kind = methodsFor(target, settings.registry).kinds.get('GET')
  const names = kind === undefined ? [] : rowsFor(kind, target.collection).filter(isIncluding)
  if (names.length === 0) return undefined
  return names.map((name) => {
    const choices = target.collection.includes.map((member) => {
      const checked = listOf(parameters[name]).includes(member) ? html` checked` : ''
      const attributes = html`type="checkbox" name="${name}" value="${member}"${checked}`
      return html`<label><input ${attributes}> <bdi>${member}</bdi></label>\n`
    })
    return html`<form class="includes" method="get" action="${urlOf(target, page)}">
${keptPairs(page, name).map(hiddenInput)}<fieldset><legend>${name}</legend>
${choices}<button type="submit">Show</button></fieldset></form>`
  })
}

function isIncluding(name: ParameterName): boolean {
  const row: ParameterRow = table[name]
  return row.names === 'includes'
}

// A list with included items needs a limit. The page sends one.
function keptPairs(page: TargetPage, name: ParameterName): readonly WrittenPair[] {
  const limit = /[?&]limit=(\d+)/.exec(page.sent.url)?.[1]
  const pairs = pairsOfUrl(page).filter(
    ([pairName, value]) => pairName !== name && pairName !== 'limit' && value !== '',
  )
  return limit === undefined ? pairs : [...pairs, ['limit', limit]]
}

/** Returns a body without the members of included items: a client does not send them. */
export function withoutIncluded(body: unknown, collection: Collection): unknown {
  const { includes } = collection
  if (includes.length === 0) return body
  if (Array.isArray(body)) return body.map((item) => withoutIncluded(item, collection))
  if (!isRecord(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !includes.includes(name)))
}
