import { bodyOf } from '../convention/kinds.ts'
import { type OperationKind, operations, parameters as table } from '../convention/operations.ts'
import { rowsFor } from '../wire/meaning.ts'
import { formatPath } from '../wire/path.ts'
import { methodsFor } from '../wire/request.ts'
import { bodyFormOf } from './body-form.ts'
import { type Html, html } from './html.ts'
import { type TargetPage, targetAt, urlOf } from './page-data.ts'

// A change of some fields comes before a replacement.
const methodOrder = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

/** Writes a form for each write operation of a target. The forms need the script. */
export function formsOf(page: TargetPage): Html | undefined {
  const { kinds, allow } = methodsFor(page.target, page.settings.registry)
  const writes = methodOrder.flatMap((method) => kinds.get(method) ?? [])
  if (writes.length === 0) return undefined
  return html`<section class="actions" aria-labelledby="actions">
<h2 id="actions">Change</h2>
<p class="note without-script">The forms need JavaScript.
Without it: <code>${allow}</code>, with curl or any other client.</p>
<div class="needs-script" hidden>${writes.map((kind) => sectionOf(kind, page))}</div>
</section>`
}

function sectionOf(kind: OperationKind, page: TargetPage): Html {
  const { method } = operations[kind]
  const label = html`<code class="method method-${method.toLowerCase()}">${method}</code>`
  const content = [inputsOf(kind, page), contentOf(kind, page)]
  return html`<details class="action" id="action-${kind}">
<summary>${label} ${wordsOf(kind)}</summary>
<form data-kind="${kind}"${requestOf(kind, page)} autocomplete="off" novalidate>${content}</form>
<div class="outcome" tabindex="-1"></div>
</details>`
}

// The script reads the request of a form from its attributes.
function requestOf(kind: OperationKind, page: TargetPage): readonly Html[] {
  const body = bodyOf(kind)
  const attributes = {
    method: operations[kind].method,
    url: urlOf(page.target, page),
    list: urlOf(targetAt(page.target), page),
    media: body?.types[0],
    patch: body?.isPatch ? '' : undefined,
    etag: page.target.kind === 'item' ? page.received.headers.etag : undefined,
  }
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [html` data-${name}="${value}"`],
  )
}

// `updateMany` → `Update many`, `dry_run` → `Dry run`
function wordsOf(name: string): string {
  const words = name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// The script sends each control with a name as a parameter. A flag is a button.
function inputsOf(kind: OperationKind, { target }: TargetPage): readonly Html[] {
  const names = rowsFor(kind, target.collection).filter((name) => table[name].type !== 'flag')
  return names.map((name) => {
    const id = `${kind}-${name}`
    return html`<div class="field"><label for="${id}">${name}</label>
<input id="${id}" name="${name}"></div>`
  })
}

function flagsOf(kind: OperationKind, { target }: TargetPage): readonly Html[] {
  const names = rowsFor(kind, target.collection).filter((name) => table[name].type === 'flag')
  return names.map(
    (name) => html`\n<button type="submit" name="${name}" value="true">${wordsOf(name)}</button>`,
  )
}

function contentOf(kind: OperationKind, page: TargetPage): Html {
  const { method, gives } = operations[kind]
  if (bodyOf(kind) !== undefined) return bodyFormOf(kind, page, flagsOf(kind, page))
  if (gives === 'deleted') return deleteAllForm(kind, page)
  if (method === 'DELETE') return deleteForm(kind)
  const button = html`<button type="submit" class="primary">${wordsOf(kind)}</button>`
  return html`<p class="buttons">${button}</p>`
}
function deleteForm(kind: OperationKind): Html {
  return html`<p class="buttons"><button type="submit" class="danger">Delete this item…</button></p>
<dialog aria-labelledby="${kind}-title"><h3 id="${kind}-title">Delete this item?</h3>
<p>You cannot undo it here.</p>
<p class="buttons"><button type="button" class="danger" data-confirm>Delete</button>
<button type="button" data-cancel autofocus>Keep it</button></p></dialog>`
}

function deleteAllForm(kind: OperationKind, page: TargetPage): Html {
  const { collection } = page.target
  const count = targetAt(page.target, 'count')
  const isCountable = methodsFor(count, page.settings.registry).kinds.has('GET')
  if (!isCountable && collection.resource.bounded)
    return html`<p class="note">DELETE needs <code>Prefer: max-affected</code> here,
and this page cannot count the items: use curl or any other client.</p>`
  const url = isCountable ? html` data-count="${urlOf(count, page)}"` : ''
  const sure = isCountable ? '' : collection.resource.name
  const label = isCountable ? 'Count them first…' : 'Delete all…'
  return html`<div class="field" data-sure="${sure}" data-what="all items"${url}>
<p class="note">Deletes every item at <code>${formatPath(page.target)}</code>,
also those that this page does not show.</p>
<p class="buttons" data-ask><button type="submit" class="danger">${label}</button></p>
<div data-confirm hidden><label for="${kind}-sure"></label>
<div class="entry"><input id="${kind}-sure" type="text" aria-describedby="${kind}-fault"></div>
<p class="fault" id="${kind}-fault" hidden></p>
<p class="buttons"><button type="submit" class="danger">Delete all</button></p></div>
</div>`
}
