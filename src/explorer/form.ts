import type { Collection } from '../model/api.ts'
import { type OperationKind, operations } from '../model/convention.ts'
import { bodySchemaOf } from '../model/kinds.ts'
import { isBounded } from '../model/target.ts'
import { parametersFor } from '../wire/meaning.ts'
import { formatPath } from '../wire/path.ts'
import { methodsFor } from '../wire/request.ts'
import { controlOf } from './control.ts'
import { allowsOtherFields, type FormField, formFieldsOf } from './fields.ts'
import { type Html, html } from './html.ts'
import { suggestionsFor } from './linked-value.ts'
import { type TargetPage, targetAt, urlOf } from './page-data.ts'

/** Writes a form for each write operation of a target. The forms need the script. */
export function formsOf(page: TargetPage): Html | undefined {
  const { kinds, allow } = methodsFor(page.target, page.settings.registry)
  const writes = [...new Set(kinds.values())].filter((kind) => !operations[kind].safe)
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
  const { etag } = page.received.headers
  const condition =
    etag === undefined || page.target.kind !== 'item' ? '' : html` data-etag="${etag}"`
  const request = html`data-method="${method}" data-url="${urlOf(page.target, page)}"`
  const list = urlOf(targetAt(page.target), page)
  const attributes = html`data-kind="${kind}" ${request} data-list="${list}"${condition}`
  const label = html`<code class="method method-${method.toLowerCase()}">${method}</code>`
  const content = [parametersOf(kind, page), contentOf(kind, page)]
  return html`<details class="action" id="action-${kind}">
<summary>${label} ${titleOf(kind)}</summary>
<form ${attributes} autocomplete="off" novalidate>${content}</form>
<div class="outcome" tabindex="-1"></div>
</details>`
}

// `updateMany` → `Update many`
function titleOf(kind: OperationKind): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// The script sends each control with a name as a parameter.
function parametersOf(kind: OperationKind, { target }: TargetPage): readonly Html[] {
  return parametersFor(kind, target.collection).map((name) => {
    const id = `${kind}-${name}`
    return html`<div class="field"><label for="${id}">${name}</label>
<input id="${id}" name="${name}"></div>`
  })
}

function contentOf(kind: OperationKind, page: TargetPage): Html {
  const { method, takes, gives } = operations[kind]
  if (takes === 'items') return bulkForm(kind, page)
  const schema = bodySchemaOf(kind)
  if (schema !== undefined) return itemForm(kind, schema, page)
  if (gives === 'deleted') return deleteAllForm(kind, page)
  if (method === 'DELETE') return deleteForm(kind)
  return submitOf(titleOf(kind))
}

function submitOf(label: string): Html {
  return html`<p class="buttons"><button type="submit" class="primary">${label}</button></p>`
}

function itemForm(kind: OperationKind, side: 'create' | 'update', page: TargetPage): Html {
  const { collection, parents } = page.target
  const isStored = page.target.kind === 'item' && page.received.status === 200
  const item: object | undefined = isStored ? Object(page.body) : undefined
  const schema = page.settings.schemaOf(collection.resource[side], 'input')
  const preset = presetFields(collection, side)
  const fields = formFieldsOf(schema)?.filter(({ name }) => !preset.has(name))
  const label = side === 'create' ? 'Create' : 'Save'
  if (fields === undefined) return html`\n${jsonField(kind, item ?? {})}\n${submitOf(label)}`
  const shown = new Set(fields.map(({ name }) => name))
  const others = Object.entries(item ?? {}).filter(
    ([name]) => !preset.has(name) && !shown.has(name),
  )
  const rest = allowsOtherFields(schema) ? Object.fromEntries(others) : undefined
  const scope = collection.owners.map((name) => {
    const parent = html`<bdi>${parents[collection.parameters.indexOf(name)]}</bdi>`
    return html`<p class="note"><code>${name}</code> is ${parent}, from the path.</p>`
  })
  return html`${scope}${fieldset(kind, fields, { page, item, rest })}
${jsonField(kind, undefined)}
<p class="buttons"><button type="submit" class="primary">${label}</button>
<button type="button" data-toggle aria-pressed="false">Write JSON</button></p>`
}

// Fields that the path gives, and fields that only the server sets.
function presetFields(
  { resource, owners }: Collection,
  side: 'create' | 'update',
): ReadonlySet<string> {
  return new Set([...owners, ...resource.readOnly, ...(side === 'update' ? ['id'] : [])])
}

interface FormItem {
  readonly page: TargetPage
  /** The initial values; `undefined` for an empty form. */
  readonly item: object | undefined
  /**
   * Other fields of the item, which the form sends unchanged; `undefined` if the schema forbids
   * them.
   */
  readonly rest: object | undefined
}

function fieldset(kind: string, fields: readonly FormField[], filled: FormItem): Html {
  const { page, item, rest } = filled
  const controls = fields.map((field, index) => {
    const suggestions = (id: string) => suggestionsFor(page, field.name, id)
    return controlOf({ field, id: `${kind}-${index}`, item, suggestions })
  })
  if (rest === undefined) return html`<div class="fields" data-fields>${controls}</div>`
  const names = Object.keys(rest)
  const hidden = names.length === 0 ? html` hidden` : ''
  return html`<div class="fields" data-fields data-rest="${JSON.stringify(rest)}">${controls}
<p class="note" data-rest-note${hidden}>Sent unchanged:
<bdi data-rest-names>${names.join(', ')}</bdi></p></div>`
}

// Hidden and empty while the form shows fields.
function jsonField(kind: string, value: object | undefined): Html {
  const hidden = value === undefined ? html` hidden` : ''
  const text = JSON.stringify(value, undefined, 2)
  const attributes = html`spellcheck="false" aria-describedby="${kind}-json-fault"`
  return html`<div class="field" data-json${hidden}>
<label for="${kind}-json">Body, as JSON</label>
<textarea id="${kind}-json" rows="10" ${attributes}>\n${text}</textarea>
<p class="fault" id="${kind}-json-fault" hidden></p>
</div>`
}

function bulkForm(kind: OperationKind, { settings, body }: TargetPage): Html {
  const { limits } = settings.registry
  const items = Array.isArray(body) ? body.slice(0, limits.bulk) : []
  const isTooLong = JSON.stringify(items, undefined, 2).length > limits.body
  const proviso = isTooLong ? ' The items of this page are too long for this form.' : ''
  return html`<p class="note">Replaces exactly these items, all or none.
Remove the items to keep as they are. At most ${limits.bulk.toLocaleString('en')}.${proviso}</p>
${jsonField(kind, isTooLong ? [] : items)}
${submitOf('Save all')}`
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
  if (!isCountable && isBounded(collection))
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
