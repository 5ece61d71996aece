import { listOf } from '../../contract/schema/json-schema.ts'
import { maxSearchLength } from '../../convention/limits.ts'
import {
  type ParameterName,
  type ParameterRow,
  parameters as table,
} from '../../convention/operations.ts'
import type { WrittenPair } from '../../wire/filter.ts'
import { formatQuery } from '../../wire/query.ts'
import { readRowsOf, type TargetPage } from '../data/page-data.ts'
import { type PageParameters, pairsOfUrl, urlOf, withoutPosition } from '../data/page-url.ts'
import { type Html, type HtmlContent, html } from '../html.ts'

/** Writes the form of the search, with a field for each parameter of text. */
export function searchFormOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  const { collection } = target
  const rows = readRowsOf(target, settings) ?? []
  const texts = rows.filter((name) => table[name].type === 'text')
  if (texts.length === 0) return undefined
  const entries = Object.entries(withoutPosition(parameters)).filter(
    ([name]) => !texts.some((text) => text === name),
  )
  const hiddenParameters: PageParameters = Object.fromEntries(entries)
  const hidden = [...new URLSearchParams(formatQuery(hiddenParameters))].map(hiddenInput)
  const isClear = texts.every((name) => parameters[name] === undefined)
  const clear = isClear ? '' : html` <a href="${urlOf(target, page, hiddenParameters)}">Clear</a>`
  const what = `Search ${collection.resource.searchable.join(', ')}`
  const fields = texts.map((name) => {
    const label = 'needs' in table[name] ? what : name
    const value = html`value="${String(parameters[name] ?? '')}"`
    const attributes = html`maxlength="${maxSearchLength}" ${value} autocomplete="off"`
    const names = html`placeholder="${label}" title="${label}"`
    return html`<label for="${name}" class="hidden">${label}</label>
<input id="${name}" type="search" name="${name}" ${attributes} ${names}>`
  })
  return html`<form class="search" role="search" method="get" action="${urlOf(target, page)}">
${hidden}
${fields}
<button type="submit">Search</button>${clear}</form>`
}

/** Writes a form that chooses the items to include. It works without the script. */
export function includesFormOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  const names = (readRowsOf(target, settings) ?? []).filter(isIncluding)
  if (names.length === 0) return undefined
  return names.map((name) => {
    const choices = target.collection.includes.map((member) => {
      const checked = listOf(parameters[name]).includes(member) ? html` checked` : ''
      const attributes = html`type="checkbox" name="${name}" value="${member}"${checked}`
      return html`<label><input ${attributes}> <bdi>${member}</bdi></label>\n`
    })
    return html`<details class="menu" name="menu"><summary>+ related</summary>
<form class="includes" method="get" action="${urlOf(target, page)}">
${pairsWithLimit(page, name).map(hiddenInput)}<fieldset><legend>With each item</legend>
${choices}<button type="submit">Show</button></fieldset></form></details>`
  })
}

function isIncluding(name: ParameterName): boolean {
  const row: ParameterRow = table[name]
  return row.names === 'includes'
}

/** Writes a form that chooses the columns of a table. It works without the script. */
export function columnsFormOf(
  page: TargetPage,
  names: readonly string[],
  fields: readonly string[] | undefined,
): HtmlContent {
  const { target, settings } = page
  if (names.length === 0 || !readRowsOf(target, settings)?.includes('fields')) return undefined
  const choices = names.map((name) => {
    const checked = fields === undefined || fields.includes(name) ? html` checked` : ''
    const attributes = html`type="checkbox" name="fields" value="${name}"${checked}`
    return html`<label><input ${attributes}> <bdi>${name}</bdi></label>\n`
  })
  const others = pairsOfUrl(page).filter(([name, value]) => name !== 'fields' && value !== '')
  return html`<details class="menu" name="menu"><summary>columns</summary>
<form class="columns" method="get" action="${urlOf(target, page)}">
${others.map(hiddenInput)}<fieldset><legend>Columns</legend>
${choices}<button type="submit">Show</button></fieldset></form></details>`
}

// Items of a request of an export.
const maxExported = 1000

/** Writes a form that exports all that matches. It needs the script. */
export function exportFormOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  if (!readRowsOf(target, settings)?.includes('limit')) return undefined
  const limit = Math.min(target.collection.resource.maxLimit, maxExported)
  const list = { ...withoutPosition(parameters), include: undefined, limit }
  const url = urlOf(target, page, list)
  const buttons = ['csv', 'json'].map((format) => {
    const data = html`data-format="${format}" data-export="${url}"`
    return html`<button type="button" ${data}>${format.toUpperCase()}</button>\n`
  })
  return html`<details class="menu needs-script" name="menu" hidden><summary>export</summary>
<form class="columns"><fieldset><legend>All that matches, as</legend>
${buttons}</fieldset></form></details>`
}

// A list with included items needs a limit. The page sends one.
function pairsWithLimit(page: TargetPage, name: ParameterName): readonly WrittenPair[] {
  const limit = /[?&]limit=(\d+)/.exec(page.sent.url)?.[1]
  const pairs = pairsOfUrl(page).filter(
    ([pairName, value]) => pairName !== name && pairName !== 'limit' && value !== '',
  )
  return limit === undefined ? pairs : [...pairs, ['limit', limit]]
}

/** Writes a parameter that a form sends unchanged. */
export function hiddenInput([name, value]: WrittenPair): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}
