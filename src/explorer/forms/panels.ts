import { type OperationKind, operations } from '../../convention/operations.ts'
import { methodsFor } from '../../wire/path.ts'
import type { TargetPage } from '../data/page-data.ts'
import { type PageParameters, targetAt, urlOf } from '../data/page-url.ts'
import { describeTarget } from '../describe-target.ts'
import { originOf } from '../dock.ts'
import { type Html, type HtmlContent, html } from '../html.ts'
import { curlCommand } from '../message.ts'
import { siblingLinksOf } from '../navigation.ts'
import type { FormField } from './fields.ts'
import { createFieldsOf, createsHere, formOf, sectionOf, writeKindsOf } from './form.ts'

/** Panels beside a page, and the links that open them. */
export interface Panels {
  readonly actions: readonly Html[]
  readonly panels: HtmlContent
}

/**
 * Writes the panels of a collection: the form of a new item, and everything that is rare. The
 * fragment of the URL opens one, also without the script.
 *
 * @param kinds The operations with a form.
 */
export function panelsOf(
  page: TargetPage,
  parameters: PageParameters,
  kinds: readonly OperationKind[] = writeKindsOf(page),
): Panels {
  const [creation] = kinds.filter((kind) => kind === 'create')
  const more = [
    ...(isNarrowed(parameters) ? kindsOfMatching(page) : []),
    ...kinds.filter((kind) => kind !== 'create'),
  ]
  const siblings = siblingLinksOf(page, parameters)
  const sections = more.map((kind) => sectionOf(kind, page))
  const forms = sections.length === 0 ? undefined : withScript(page, sections)
  const rare = html`${siblings}${forms}${describeTarget(page)}`
  const actions = [html`<a class="button" href="#more" title="More">More</a>`]
  const panels = [panelOf('more', 'More', rare)]
  if (creation === undefined) return { actions, panels }
  return {
    actions: [...actions, html`<a class="button primary" href="#new">New</a>`],
    panels: [panelOf('new', 'New', withScript(page, formOf(creation, page))), ...panels],
  }
}

function isNarrowed({ q, where }: PageParameters): boolean {
  return q !== undefined || where !== undefined
}

// The deletion of what a page has filtered.
function kindsOfMatching({ target, settings }: TargetPage): readonly OperationKind[] {
  const kind = methodsFor(target, settings.registry).kinds.get('DELETE?')
  return kind === 'deleteMany' ? [kind] : []
}

function panelOf(id: string, title: string, content: HtmlContent): Html {
  return html`<dialog class="drawer" id="${id}" aria-labelledby="${id}-title">
<div class="drawer-head"><h2 id="${id}-title">${title}</h2>
<a class="close" href="#main" data-close aria-label="Close">×</a></div>
${content}</dialog>`
}

/** Writes forms that need the script, with a note for a browser without it. */
export function withScript(page: TargetPage, forms: HtmlContent): Html {
  const { allow } = methodsFor(page.target, page.settings.registry)
  return html`<div class="note without-script"><p>The forms need JavaScript.
Without it: <code>${allow}</code>, with curl or any other client.</p>${exampleOf(page)}</div>
<div class="needs-script" hidden>${forms}</div>`
}

/** Writes the link to the form of the first item, and its command, where clients create items. */
export function firstItemOf(page: TargetPage): HtmlContent {
  const example = exampleOf(page)
  return example && html`<p><a class="button primary" href="#new">New</a></p>${example}`
}

/** Writes the command that creates an item; `undefined` where clients create none. */
function exampleOf(page: TargetPage): HtmlContent {
  const { target, request } = page
  const isNew = createsHere(page)
  const isCreatable = methodsFor(target, page.settings.registry).kinds.get('POST') === 'create'
  if (!isNew && !isCreatable) return undefined
  const fields = createFieldsOf(page) ?? []
  const item = Object.fromEntries(
    fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, sampleOf(field)]),
  )
  const origin = originOf(request)
  const url = urlOf(isNew ? target : targetAt(target), page)
  const headers = { 'content-type': 'application/json' }
  const { method } = operations[isNew ? 'update' : 'create']
  const command = curlCommand({ method, url, headers, body: JSON.stringify(item) }, origin + url)
  return html`<pre class="message"><code data-curl data-origin="${origin}">${command}</code></pre>`
}

const samples: Readonly<Record<FormField['input'], string>> = {
  text: 'text',
  date: '2026-01-31',
  email: 'ada@example.com',
  url: 'https://example.com/',
}

function sampleOf({ type, input, format, choices }: FormField): unknown {
  if (type === 'text' && format === 'date-time') return '2026-01-31T12:00:00Z'
  if (type === 'choice') return choices[0]
  if (type === 'number') return 1
  return type === 'text' ? samples[input] : null
}
