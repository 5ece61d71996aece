import type { Collection } from '../model/api.ts'
import { isBounded } from '../model/bounded.ts'
import { type OperationKind, operations } from '../model/convention.ts'
import { formatPath } from '../wire/path.ts'
import { methodsFor } from '../wire/request.ts'
import { controlOf } from './control.ts'
import { allowsOtherFields, type FormField, formFieldsOf } from './fields.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { type TargetPage, urlOf } from './page-data.ts'

/** The operations that have a form, with their headings. */
const titles: Readonly<Partial<Record<OperationKind, string>>> = {
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
  updateMany: 'Update many',
  deleteAll: 'Delete all',
}

/** Writes a form for each write operation of a target. The forms need the script. */
export function formsOf(page: TargetPage): Html | undefined {
  const { kinds, allow } = methodsFor(page.target, page.settings.registry)
  const forms = [...new Set(kinds.values())].flatMap((kind) => {
    const content = contentOf(kind, page)
    return content === undefined ? [] : [sectionOf(kind, page, content)]
  })
  if (forms.length === 0) return undefined
  return html`<section class="actions" aria-labelledby="actions">
<h2 id="actions">Change</h2>
<p class="note without-script">The forms need JavaScript.
Without it: <code>${allow}</code>, with curl or any other client.</p>
<div class="needs-script" hidden>${forms}</div>
</section>`
}

function contentOf(kind: OperationKind, page: TargetPage): HtmlContent {
  const isRead = page.shownResponse.status === 200
  switch (kind) {
    case 'create':
      return itemForm(page, { kind, item: undefined })
    case 'update':
      return isRead
        ? itemForm(page, { kind, item: Object(page.body) })
        : itemForm(page, { kind, item: undefined })
    case 'updateMany':
      return bulkForm(page)
    case 'delete':
      return deleteForm()
    case 'deleteAll':
      return deleteAllForm(page)
    default:
      return undefined
  }
}

function sectionOf(kind: OperationKind, page: TargetPage, content: HtmlContent): Html {
  const { method } = operations[kind]
  const { collection, parents } = page.target
  const list = urlOf({ kind: 'collection', collection, parents, id: undefined }, page)
  const etag = page.shownResponse.headers.etag
  const condition =
    etag === undefined || page.target.kind !== 'item' ? '' : html` data-etag="${etag}"`
  const request = html`data-method="${method}" data-url="${urlOf(page.target, page)}"`
  const attributes = html`data-kind="${kind}" ${request} data-list="${list}"${condition}`
  const label = html`<code class="method method-${method.toLowerCase()}">${method}</code>`
  return html`<details class="action" id="action-${kind}">
<summary>${label} ${titles[kind]}</summary>
<form ${attributes} autocomplete="off" novalidate>${content}</form>
<div class="outcome" tabindex="-1"></div>
</details>`
}

interface FormItem {
  readonly kind: 'create' | 'update'
  /** The initial values; `undefined` for an empty form. */
  readonly item: object | undefined
}

function itemForm(page: TargetPage, { kind, item }: FormItem): Html {
  const { resource } = page.target.collection
  const schema = page.settings.schemaOf(resource[kind], 'input')
  const left = givenFields(page.target.collection, kind)
  const fields = formFieldsOf(schema)?.filter(({ name }) => !left.has(name))
  const shown = new Set(fields?.map(({ name }) => name))
  const others = Object.entries(item ?? {}).filter(([name]) => !left.has(name) && !shown.has(name))
  const rest = allowsOtherFields(schema) ? Object.fromEntries(others) : undefined
  const label = kind === 'create' ? 'Create' : 'Save'
  const scope = page.target.collection.parameters.map((name, index) => {
    const parent = page.target.parents[index]
    return html`<p class="note"><code>${name}</code> is <bdi>${parent}</bdi>, from the path.</p>`
  })
  const toggle = html`<button type="button" data-toggle aria-pressed="false">Write JSON</button>`
  return html`${fields === undefined ? '' : [scope, fieldset(fields, { kind, item, rest })]}
${jsonField(kind, item, fields === undefined)}
<p class="buttons"><button type="submit" class="primary">${label}</button>
${fields === undefined ? '' : toggle}</p>`
}

// Fields that the path gives, and fields that only the server sets.
function givenFields(collection: Collection, kind: FormItem['kind']): ReadonlySet<string> {
  const { readOnly } = collection.resource
  return new Set([...collection.parameters, ...readOnly, ...(kind === 'update' ? ['id'] : [])])
}

interface FormItemFields extends FormItem {
  /**
   * Other fields of the item, which the form sends unchanged; `undefined` if the schema forbids
   * them.
   */
  readonly rest: object | undefined
}

function fieldset(fields: readonly FormField[], { kind, item, rest }: FormItemFields): Html {
  const controls = fields.map((field, index) => controlOf({ field, id: `${kind}-${index}`, item }))
  if (rest === undefined) return html`<div class="fields" data-fields>${controls}</div>`
  const names = Object.keys(rest)
  const hidden = names.length === 0 ? html` hidden` : ''
  return html`<div class="fields" data-fields data-rest="${JSON.stringify(rest)}">${controls}
<p class="note" data-rest-note${hidden}>Sent unchanged:
<bdi data-rest-names>${names.join(', ')}</bdi></p></div>`
}

function jsonField(kind: string, item: object | undefined, isOnly: boolean): Html {
  const text = isOnly ? JSON.stringify(item ?? {}, undefined, 2) : ''
  const attributes = html`spellcheck="false" aria-describedby="${kind}-json-fault"`
  return html`<div class="field" data-json${isOnly ? '' : html` hidden`}>
<label for="${kind}-json">Body, as JSON</label>
<textarea id="${kind}-json" rows="10" ${attributes}>\n${text}</textarea>
<p class="fault" id="${kind}-json-fault" hidden></p>
</div>`
}

function bulkForm({ settings, body }: TargetPage): Html {
  const { limits } = settings.registry
  const items = Array.isArray(body) ? body.slice(0, limits.bulk) : []
  const text = JSON.stringify(items, undefined, 2)
  const isTooLong = text.length > limits.body
  const proviso = isTooLong ? ' The items of this page are too long for this form.' : ''
  return html`<p class="note">Replaces exactly these items, all or none.
Remove the items to keep as they are. At most ${limits.bulk.toLocaleString('en')}.${proviso}</p>
${jsonField('updateMany', isTooLong ? [] : items, true)}
<p class="buttons"><button type="submit" class="primary">Save all</button></p>`
}

function deleteForm(): Html {
  return html`<p class="buttons"><button type="submit" class="danger">Delete this item…</button></p>
<dialog aria-labelledby="delete-title"><h3 id="delete-title">Delete this item?</h3>
<p>You cannot undo it here.</p>
<p class="buttons"><button type="button" class="danger" data-confirm>Delete</button>
<button type="button" data-cancel autofocus>Keep it</button></p></dialog>`
}

function deleteAllForm(page: TargetPage): Html {
  const { collection, parents } = page.target
  const count = { kind: 'count', collection, parents, id: undefined } as const
  const isCountable = methodsFor(count, page.settings.registry).kinds.has('GET')
  if (!isCountable && isBounded(collection))
    return html`<p class="note">DELETE needs <code>Prefer: max-affected</code> here,
and this page cannot count the items: use curl or any other client.</p>`
  const url = isCountable ? html` data-count="${urlOf(count, page)}"` : ''
  const sure = isCountable ? '' : collection.resource.name
  const label = isCountable ? 'Count them first…' : 'Delete all…'
  return html`<div class="field" data-sure="${sure}" data-what="all items"${url}>
<p class="note">Deletes every item at <code>${formatPath({ ...count, kind: 'collection' })}</code>,
also those that this page does not show.</p>
<p class="buttons" data-ask><button type="submit" class="danger">${label}</button></p>
<div data-confirm hidden><label for="deleteAll-sure"></label>
<div class="entry"><input id="deleteAll-sure" type="text" aria-describedby="deleteAll-fault"></div>
<p class="fault" id="deleteAll-fault" hidden></p>
<p class="buttons"><button type="submit" class="danger">Delete all</button></p></div>
</div>`
}
