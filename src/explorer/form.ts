import type { Collection } from '../model/api.ts'
import { isBounded } from '../model/bounded.ts'
import { type OperationKind, operations } from '../model/convention.ts'
import { formatPath } from '../wire/path.ts'
import { methodsFor } from '../wire/request.ts'
import { controlOf } from './control.ts'
import { type Field, fieldsOf, isOpen } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { urlOf, type VisitOf } from './site.ts'

/** The operations that have a form, with what their headings and buttons say. */
const titles: Readonly<Partial<Record<OperationKind, string>>> = {
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
  updateMany: 'Update many',
  deleteAll: 'Delete all',
}

/** Writes a form for everything that can be done to a target besides reading it. They need the script. */
export function formsOf(visit: VisitOf): Html | undefined {
  const { kinds, allow } = methodsFor(visit.target, visit.site.registry)
  const forms = [...new Set(kinds.values())].flatMap((kind) => {
    const content = contentOf(kind, visit)
    return content === undefined ? [] : [sectionOf(kind, visit, content)]
  })
  if (forms.length === 0) return undefined
  return html`<section class="actions" aria-labelledby="actions">
<h2 id="actions">Change</h2>
<p class="note without-script">The forms need JavaScript. Without it: <code>${allow}</code>, with curl or any other client.</p>
<div class="needs-script" hidden>${forms}</div>
</section>`
}

function contentOf(kind: OperationKind, visit: VisitOf): Content {
  const isRead = visit.received.status === 200
  switch (kind) {
    case 'create':
      return itemForm(visit, { kind, item: undefined })
    case 'update':
      return isRead
        ? itemForm(visit, { kind, item: Object(visit.body) })
        : itemForm(visit, { kind, item: undefined })
    case 'updateMany':
      return bulkForm(visit)
    case 'delete':
      return deleteForm()
    case 'deleteAll':
      return deleteAllForm(visit)
    default:
      return undefined
  }
}

function sectionOf(kind: OperationKind, visit: VisitOf, content: Content): Html {
  const { method } = operations[kind]
  const { collection, parents } = visit.target
  const list = urlOf({ kind: 'collection', collection, parents, id: undefined }, visit)
  const etag = visit.received.headers.etag
  const condition =
    etag === undefined || visit.target.kind !== 'item' ? '' : html` data-etag="${etag}"`
  return html`<details class="action" id="action-${kind}">
<summary><code class="method method-${method.toLowerCase()}">${method}</code> ${titles[kind]}</summary>
<form data-kind="${kind}" data-method="${method}" data-url="${urlOf(visit.target, visit)}" data-list="${list}"${condition} autocomplete="off" novalidate>${content}</form>
<div class="outcome" tabindex="-1"></div>
</details>`
}

interface Filled {
  readonly kind: 'create' | 'update'
  /** What the form starts with. */
  readonly item: object | undefined
}

function itemForm(visit: VisitOf, { kind, item }: Filled): Html {
  const { resource } = visit.target.collection
  const schema = visit.site.schemaOf(resource[kind], 'input')
  const left = givenFields(visit.target.collection, kind)
  const fields = fieldsOf(schema)?.filter(({ name }) => !left.has(name))
  const shown = new Set(fields?.map(({ name }) => name))
  const rest = Object.entries(item ?? {}).filter(([name]) => !left.has(name) && !shown.has(name))
  const label = kind === 'create' ? 'Create' : 'Save'
  const scope = visit.target.collection.parameters.map(
    (name, place) =>
      html`<p class="note"><code>${name}</code> is <bdi>${visit.target.parents[place]}</bdi>, as the path says.</p>`,
  )
  return html`${fields === undefined ? '' : scope}${fields === undefined ? undefined : fieldset(fields, { kind, item, rest: isOpen(schema) ? Object.fromEntries(rest) : undefined })}
${jsonBox(kind, item, fields === undefined)}
<p class="buttons"><button type="submit" class="primary">${label}</button>
${fields === undefined ? '' : html`<button type="button" data-toggle aria-pressed="false">Write JSON</button>`}</p>`
}

// What the path says, and what only the server sets.
function givenFields(collection: Collection, kind: Filled['kind']): ReadonlySet<string> {
  const { readOnly } = collection.resource
  return new Set([...collection.parameters, ...readOnly, ...(kind === 'update' ? ['id'] : [])])
}

interface FilledFields extends Filled {
  /** What is sent along though no field shows it; `undefined` where the schema forbids anything else. */
  readonly rest: object | undefined
}

function fieldset(fields: readonly Field[], { kind, item, rest }: FilledFields): Html {
  const controls = fields.map((field, place) => controlOf({ field, id: `${kind}-${place}`, item }))
  if (rest === undefined) return html`<div class="fields" data-fields>${controls}</div>`
  const names = Object.keys(rest)
  return html`<div class="fields" data-fields data-rest="${JSON.stringify(rest)}">${controls}
<p class="note" data-rest-note${names.length === 0 ? html` hidden` : ''}>Sent along as it is: <bdi data-rest-names>${names.join(', ')}</bdi></p></div>`
}

function jsonBox(kind: string, item: object | undefined, isOnly: boolean): Html {
  const text = isOnly ? JSON.stringify(item ?? {}, undefined, 2) : ''
  return html`<div class="field" data-json${isOnly ? '' : html` hidden`}>
<label for="${kind}-json">Body, as JSON</label>
<textarea id="${kind}-json" rows="10" spellcheck="false" aria-describedby="${kind}-json-fault">\n${text}</textarea>
<p class="fault" id="${kind}-json-fault" hidden></p>
</div>`
}

function bulkForm({ site, body }: VisitOf): Html {
  const { limits } = site.registry
  const items = Array.isArray(body) ? body.slice(0, limits.bulk) : []
  const text = JSON.stringify(items, undefined, 2)
  const isTooLong = text.length > limits.body
  return html`<p class="note">Exactly these items are replaced, all of them or none: leave out those that shall stay as they are. At most ${limits.bulk.toLocaleString('en')}.${isTooLong ? ' Those of this page are too long to be put here.' : ''}</p>
${jsonBox('updateMany', isTooLong ? [] : items, true)}
<p class="buttons"><button type="submit" class="primary">Save all</button></p>`
}

function deleteForm(): Html {
  return html`<p class="buttons"><button type="submit" class="danger">Delete this item…</button></p>
<dialog aria-labelledby="delete-title"><h3 id="delete-title">Delete this item?</h3><p>It cannot be undone here.</p>
<p class="buttons"><button type="button" class="danger" data-confirm>Delete</button> <button type="button" data-cancel autofocus>Keep it</button></p></dialog>`
}

function deleteAllForm(visit: VisitOf): Html {
  const { collection, parents } = visit.target
  const count = { kind: 'count', collection, parents, id: undefined } as const
  const isCountable = methodsFor(count, visit.site.registry).kinds.has('GET')
  if (!isCountable && isBounded(collection))
    return html`<p class="note">DELETE needs <code>Prefer: max-affected</code> here, and this page cannot count the items: use curl or any other client.</p>`
  const url = isCountable ? html` data-count="${urlOf(count, visit)}"` : ''
  return html`<div class="field" data-sure="${isCountable ? '' : collection.resource.name}" data-what="everything"${url}>
<p class="note">Deletes everything at <code>${formatPath({ ...count, kind: 'collection' })}</code>, whatever is searched for or shown.</p>
<p class="buttons" data-ask><button type="submit" class="danger">${isCountable ? 'Count them first…' : 'Delete all…'}</button></p>
<div data-confirm hidden><label for="deleteAll-sure"></label>
<div class="entry"><input id="deleteAll-sure" type="text" aria-describedby="deleteAll-fault"></div>
<p class="fault" id="deleteAll-fault" hidden></p>
<p class="buttons"><button type="submit" class="danger">Delete all</button></p></div>
</div>`
}
