import { bodyOf } from '../convention/kinds.ts'
import { operations } from '../convention/operations.ts'
import { parametersFor } from '../wire/meaning.ts'
import { methodsFor } from '../wire/path.ts'
import { type TargetPage, takesArray } from './data/page-data.ts'
import { type Html, type HtmlContent, html } from './html.ts'

const headings = ['Method', 'Operation', 'Parameters', 'Takes', 'Gives'].map(
  (name) => html`<th scope="col">${name}</th>`,
)

/**
 * Describes a target as OPTIONS does: operations with parameters, sortable, searchable and
 * filterable fields, limits.
 */
export function describeTarget(page: TargetPage): Html {
  const { target, settings } = page
  const { resource, version, path } = target.collection
  const { kinds } = methodsFor(target, settings.registry)
  const lines = [...new Set(kinds.values())].map((kind) => {
    const { method, takes, gives } = operations[kind]
    const parameters = parametersFor(kind, target.collection).map(
      (name) => html`<code>${name}</code> `,
    )
    const body = bodyOf(kind)?.orMany && !takesArray(kind, page) ? 'item' : spacedWords(takes)
    const cells = [kind, parameters, body, gives].map((cell) => html`<td>${cell}</td>`)
    return html`<tr><th scope="row"><code>${method}</code></th>${cells}</tr>`
  })
  const { limits } = settings.registry
  return html`<details class="description">
<summary>Reference <code>/${version}${path}</code></summary>
<div class="scroll" role="region" aria-label="Operations" tabindex="0">
<table><caption class="hidden">Operations</caption>
<thead><tr>${headings}</tr></thead>
<tbody>${lines}</tbody></table></div>
<dl class="facts">
${fact('Sortable', resource.sortable)}${fact('Sorted without case', resource.folded)}
${fact('Searchable', resource.searchable)}${fact('Countable', resource.countable)}
${fact(
  'Filterable',
  resource.filterable.map(({ name }) => name),
)}
${fact(
  'References',
  target.collection.references.map(({ field, to }) => `${field} (${to})`),
)}
${fact('Read-only', resource.readOnly)}
${fact('Kept where a PUT leaves them out', resource.keep)}
${fact('States', statesOf(resource))}
${fact('Revision', resource.revision === undefined ? [] : [resource.revision])}
${fact('Items of a page', [`${resource.maxLimit.toLocaleString('en')} at most`])}
${fact('Items of a bulk', [`${limits.bulk.toLocaleString('en')} at most`])}
${fact('A body', [`${limits.body.toLocaleString('en')} bytes at most`])}
</dl></details>`
}

// `itemOrItems` → `item or items`
function spacedWords(takes: string): string {
  return takes.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase()
}

// `draft → published or archived`
function statesOf({ states }: TargetPage['target']['collection']['resource']): readonly string[] {
  return [...(states?.moves ?? [])].map(([state, next]) =>
    next.length === 0 ? state : `${state} → ${next.join(' or ')}`,
  )
}

function fact(name: string, words: readonly string[]): HtmlContent {
  if (words.length === 0) return undefined
  return html`<div class="fact"><dt>${name}</dt><dd>${words.join(', ')}</dd></div>`
}
