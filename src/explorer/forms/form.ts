import { type Collection, lastNounOf } from '../../contract/resource/api.ts'
import { reachableFrom } from '../../contract/resource/states.ts'
import { bodyOf, bodySchemaOf, changesStored } from '../../convention/kinds.ts'
import { type OperationKind, operations, parameters as table } from '../../convention/operations.ts'
import { fieldOf } from '../../convention/value.ts'
import { rowsFor } from '../../wire/meaning.ts'
import { formatPath, methodsFor } from '../../wire/path.ts'
import { parametersOf, type TargetPage, takesArray } from '../data/page-data.ts'
import { type PageParameters, targetAt, urlOf } from '../data/page-url.ts'
import { type Html, type HtmlContent, html } from '../html.ts'
import { choicesFor, nameAt } from '../linked-value.ts'
import { allowsOtherFields, controlOf, type FormField, formFieldsOf } from './fields.ts'

// A change of some fields comes before a replacement.
const methodOrder = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

/** Returns the operations of a target that write, in the order of their forms. */
export function writeKindsOf({ target, settings }: TargetPage): readonly OperationKind[] {
  const { kinds } = methodsFor(target, settings.registry)
  return methodOrder.flatMap((method) => kinds.get(method) ?? [])
}

/** Tells whether a page is about an absent item that a PUT would create. */
export function createsHere({ target, received, problem, settings }: TargetPage): boolean {
  const isAbsent = received.status === 404 && problem?.code === 'not_found'
  const { kinds } = methodsFor(target, settings.registry)
  const { putCreates } = target.collection.resource
  return isAbsent && target.kind === 'item' && putCreates && kinds.has('PUT')
}

/** Writes a form for each write operation of an item. */
export function itemFormsOf(page: TargetPage): readonly HtmlContent[] {
  return [movesOf(page), ...writeKindsOf(page).map((kind) => sectionOf(kind, page))]
}

// A button for each state that the item can move to, by a PATCH of that field alone.
function movesOf(page: TargetPage): Html | undefined {
  const { target, received, hidden, settings } = page
  const { states } = target.collection.resource
  const isItem = target.kind === 'item' && received.status === 200
  const canPatch = methodsFor(target, settings.registry).kinds.has('PATCH')
  if (states === undefined || !isItem || !canPatch || hidden.has(states.field)) return undefined
  const { field } = states
  const state = fieldOf(Object(page.body), field)
  const buttons = reachableFrom(state, states).map((next) => {
    const body = JSON.stringify({ [field]: next })
    return html`\n<button type="submit" data-body="${body}">${next}</button>`
  })
  const now = html`<code>${field}</code> is <bdi>${`${state ?? 'missing'}`}</bdi>.`
  return html`<details class="action" id="action-move" open>
<summary><code class="method method-patch">PATCH</code> Move</summary>
<form data-kind="move"${requestOf('patch', page)} autocomplete="off" novalidate>
<p class="note">${now} ${buttons.length > 0 ? 'It can become:' : 'No state follows.'}</p>
<p class="buttons">${buttons}</p></form>
<div class="outcome" tabindex="-1"></div>
</details>
`
}

/** Writes a form that unfolds. */
export function sectionOf(kind: OperationKind, page: TargetPage): Html {
  const { method } = operations[kind]
  const label = html`<code class="method method-${method.toLowerCase()}">${method}</code>`
  return html`<details class="action" id="action-${kind}">
<summary>${label} ${nameText(kind)}</summary>${formWithOutcome(kind, page)}</details>`
}

/** Writes a form. */
export function formOf(kind: OperationKind, page: TargetPage): Html {
  return html`<div class="action" id="action-${kind}">${formWithOutcome(kind, page)}</div>`
}

function formWithOutcome(kind: OperationKind, page: TargetPage): Html {
  const content = [inputsOf(kind, page), contentOf(kind, page)]
  return html`
<form data-kind="${kind}"${requestOf(kind, page)} autocomplete="off" novalidate>${content}</form>
<div class="outcome" tabindex="-1"></div>`
}

// The script reads the request of a form from its attributes.
function requestOf(kind: OperationKind, page: TargetPage): readonly Html[] {
  const body = bodyOf(kind)
  const { method, selects } = operations[kind]
  const attributes = {
    method,
    url: urlOf(page.target, page, selects ? conditionsOf(page) : {}),
    list: urlOf(targetAt(page.target), page),
    media: body?.types[0],
    patch: body?.isPatch ? '' : undefined,
    creates: createsHere(page) ? '' : undefined,
    etag: page.target.kind === 'item' ? page.received.headers.etag : undefined,
  }
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [html` data-${name}="${value}"`],
  )
}

// The search and the filters of the page.
function conditionsOf(page: TargetPage): PageParameters {
  const { q, where } = parametersOf(page)
  return { q, where }
}

// `updateMany` → `Update many`, `dry_run` → `Dry run`
function nameText(name: string): string {
  if (name === 'deleteMany') return 'Delete what matches'
  const words = name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// The script sends each control with a name as a parameter. A flag is a button.
function inputsOf(kind: OperationKind, { target }: TargetPage): readonly Html[] {
  // The page has the conditions.
  if (operations[kind].selects) return []
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
    (name) => html`\n<button type="submit" name="${name}" value="true">${nameText(name)}</button>`,
  )
}

function contentOf(kind: OperationKind, page: TargetPage): Html {
  const { method, gives } = operations[kind]
  if (bodyOf(kind) !== undefined) return bodyFormOf(kind, page, flagsOf(kind, page))
  if (gives === 'deleted') return deleteAllForm(kind, page)
  if (method === 'DELETE') return deleteForm(kind, page)
  const button = html`<button type="submit" class="primary">${nameText(kind)}</button>`
  return html`<p class="buttons">${button}</p>`
}

// The question names the item.
function deleteForm(kind: OperationKind, page: TargetPage): Html {
  const { target, names } = page
  const name = names.get(formatPath(target))
  const id = html`<code>${target.id}</code>`
  const item = name === undefined ? id : html`<bdi>${name}</bdi> (${id})`
  return html`<p class="buttons"><button type="submit" class="danger">Delete this item…</button></p>
<dialog aria-labelledby="${kind}-title"><h3 id="${kind}-title">Delete ${item}?</h3>
<p><span data-related></span>You cannot undo it. References to it may lead nowhere.</p>
<p class="buttons"><button type="button" class="danger" data-confirm>Delete</button>
<button type="button" data-cancel autofocus>Keep it</button></p></dialog>`
}

function deleteAllForm(kind: OperationKind, page: TargetPage): Html {
  const { collection } = page.target
  const { selects } = operations[kind]
  const count = targetAt(page.target, 'count')
  const isCountable = selects || methodsFor(count, page.settings.registry).kinds.has('GET')
  if (!isCountable && collection.resource.bounded)
    return html`<p class="note">DELETE needs <code>Prefer: max-affected</code> here,
and this page cannot count the items: use curl or any other client.</p>`
  const url = isCountable ? html` data-count="${urlOf(count, page)}"` : ''
  const sure = isCountable ? '' : lastNounOf(collection)
  const label = isCountable ? 'Count them first…' : 'Delete all…'
  const what = selects ? 'items' : 'all items'
  const counted = dryRunOf(kind, page) ?? url
  const action = selects ? 'Delete' : 'Delete all'
  const scope = selects
    ? html`that matches <code>${urlOf(page.target, page, conditionsOf(page))}</code>`
    : html`at <code>${formatPath(page.target)}</code>`
  const input = html`id="${kind}-sure" type="text" inputmode="numeric" autocomplete="off"`
  return html`<div class="field" data-sure="${sure}" data-what="${what}"${counted}>
<p class="note">Deletes every item ${scope},
also those that this page does not show.</p>
<p class="buttons" data-ask><button type="submit" class="danger">${label}</button></p>
<div data-confirm hidden><label for="${kind}-sure"></label>
<div class="entry"><input ${input} aria-describedby="${kind}-fault"></div>
<p class="fault" id="${kind}-fault" hidden></p>
<p class="buttons"><button type="submit" class="danger">${action}</button></p></div>
</div>`
}

// A dry run tells how many items match, within the bound of a bulk.
function dryRunOf(kind: OperationKind, page: TargetPage): Html | undefined {
  if (!operations[kind].selects) return undefined
  const url = urlOf(page.target, page, { ...conditionsOf(page), dry_run: true })
  return html` data-count="${url}" data-most="${page.settings.registry.limits.bulk}"`
}

/** A form for the body of an operation. */
interface BodyForm {
  readonly kind: OperationKind
  readonly page: TargetPage
  /** The body is a merge patch, or an array of them. */
  readonly isPatch: boolean
  /** Buttons beside the one that sends the form. */
  readonly more: HtmlContent
}

/**
 * Writes the content of a form with a body: a control for each field, or the JSON.
 *
 * @param more Buttons beside the one that sends the form.
 */
function bodyFormOf(kind: OperationKind, page: TargetPage, more: HtmlContent): Html {
  const { isMany = false, isPatch = false } = bodyOf(kind) ?? {}
  const form = { kind, page, isPatch, more }
  return isMany ? bulkForm(form) : itemForm(form)
}

function itemForm(form: BodyForm): Html {
  const { kind, page, isPatch } = form
  const { collection, kind: target } = page.target
  const isNew = createsHere(page)
  const side = isNew ? 'create' : (bodySchemaOf(kind) ?? 'update')
  const isStored = target === 'item' && page.received.status === 200
  const item: object | undefined = isStored ? Object(page.body) : undefined
  const schema = page.settings.schemaOf(collection.resource[side], 'input')
  const preset = presetFields(page, side)
  const fields = formFieldsOf(schema)
    ?.filter(({ name }) => !preset.has(name))
    .map((field) => withMoves(field, collection, item))
  const label = isNew ? 'Create it here' : side === 'create' ? 'Create' : 'Save'
  if (fields === undefined) {
    const initial = isPatch ? undefined : item
    return html`${arrayNote(form)}${jsonField(kind, initial ?? {})}\n${buttonsOf(form, label)}`
  }
  const fieldNames = new Set(fields.map(({ name }) => name))
  const isOpenSchema = allowsOtherFields(schema)
  const entries = Object.entries(item ?? {}).filter(
    ([name]) => !preset.has(name) && (isOpenSchema || fieldNames.has(name)),
  )
  if (!isNew && isReplacement(form)) {
    return html`<p class="note">Replaces the item: a field that you leave out is removed.</p>
${jsonField(kind, Object.fromEntries(entries))}\n${buttonsOf(form, label)}`
  }
  const unshown = isPatch ? [] : entries.filter(([name]) => !fieldNames.has(name))
  const extraFields = isOpenSchema ? Object.fromEntries(unshown) : undefined
  const toggle = html`\n<button type="button" data-toggle aria-pressed="false">Write JSON</button>`
  return html`${scopeNotes(page)}${fieldset(form, fields, { item, extraFields })}
${jsonField(kind, undefined)}\n${arrayNote(form)}${buttonsOf(form, label, toggle)}`
}

// A new item has the first state, and another one moves on from its own.
function withMoves(
  field: FormField,
  { resource: { states } }: Collection,
  item: object | undefined,
): FormField {
  if (states === undefined || field.name !== states.field) return field
  const state = item === undefined ? states.initial : fieldOf(item, states.field)
  const next = item === undefined ? [] : reachableFrom(state, states)
  const isOpen = (choice: unknown): boolean =>
    choice === state || next.some((one) => one === choice)
  return { ...field, choices: field.choices.filter(isOpen) }
}

// PUT shows JSON alone where another form changes the fields of the item by PATCH.
function isReplacement({ kind, page, isPatch }: BodyForm): boolean {
  const { kinds } = methodsFor(page.target, page.settings.registry)
  return changesStored(kind) && !isPatch && kinds.has('PATCH')
}

function buttonsOf({ more }: BodyForm, label: string, toggle?: Html): Html {
  const submit = html`<button type="submit" class="primary">${label}</button>`
  return html`<p class="buttons">${submit}${more}${toggle}</p>`
}

function scopeNotes({ target: { collection, parents } }: TargetPage): readonly Html[] {
  return collection.owners.map((name) => {
    const parent = html`<bdi>${parents[collection.parameters.indexOf(name)]}</bdi>`
    return html`<p class="note"><code>${name}</code> is ${parent}, from the path.</p>`
  })
}

function arrayNote({ kind, page }: BodyForm): Html | undefined {
  if (!takesArray(kind, page)) return undefined
  const most = page.settings.registry.limits.bulk.toLocaleString('en')
  return html`<p class="note">As JSON, an array makes several items, all or none.
At most ${most}.</p>\n`
}

/** Returns the fields of a new item that a client gives; `undefined` without a JSON Schema. */
export function createFieldsOf(page: TargetPage): readonly FormField[] | undefined {
  const preset = presetFields(page, 'create')
  const schema = page.settings.schemaOf(page.target.collection.resource.create, 'input')
  return formFieldsOf(schema)?.filter(({ name }) => !preset.has(name))
}

// Fields that the path gives, that only the server sets, and that the caller does not see.
function presetFields(
  { target, hidden }: TargetPage,
  side: 'create' | 'update',
): ReadonlySet<string> {
  const { resource, owners } = target.collection
  const ids = side === 'update' || target.kind === 'item' ? ['id'] : []
  return new Set([...owners, ...resource.readOnly, ...ids, ...hidden])
}

interface FormItem {
  /** The initial values; `undefined` for an empty form. */
  readonly item: object | undefined
  /**
   * Other fields of the item, which the form sends unchanged; `undefined` if the schema forbids
   * them.
   */
  readonly extraFields: object | undefined
}

function fieldset(
  { kind, page, isPatch }: BodyForm,
  fields: readonly FormField[],
  { item, extraFields }: FormItem,
): Html {
  const { references } = page.target.collection
  const controls = fields.map((field, index) => {
    const choices = choicesFor(page, field.name)
    const name = item && nameAt(page, field.name, fieldOf(item, field.name))
    const { target } = references.find((candidate) => candidate.field === field.name) ?? {}
    const reference = target && lastNounOf(target)
    // A patch sends the fields that differ from the stored ones.
    const initial = isPatch ? (item ?? {}) : item
    const id = `${kind}-${index}`
    return controlOf({ field, id, item: initial, isPatch, reference, choices, name })
  })
  const preview = isPatch ? changesNote : undefined
  if (extraFields === undefined)
    return html`<div class="fields" data-fields>${controls}${preview}</div>`
  const names = Object.keys(extraFields)
  const hidden = names.length === 0 ? html` hidden` : ''
  return html`<div class="fields" data-fields data-rest="${JSON.stringify(extraFields)}">${controls}
<p class="note" data-rest-note${hidden}>Sent unchanged:
<bdi data-rest-names>${names.join(', ')}</bdi></p>${preview}</div>`
}

// The script shows the body to send.
const changesNote = html`\n<div class="note"><p>Sends only what you change:</p>
<pre class="message long-message" tabindex="0" role="region" aria-label="Body to send">\
<code data-changes></code></pre></div>`

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

// The script reads the items of the page once the form is open: the page holds no copy of them.
function bulkForm(form: BodyForm): Html {
  const { kind, page, isPatch } = form
  const { limits } = page.settings.registry
  const { revision } = page.target.collection.resource
  const effect = isPatch
    ? 'Changes only the fields that you add to these items, all or none. null clears a field.'
    : 'Replaces exactly these items, all or none.'
  const members = JSON.stringify(['id', ...(revision === undefined ? [] : [revision])])
  const attributes = {
    url: urlOf(page.target, page, { ...parametersOf(page), ...limitOf(page), include: undefined }),
    most: limits.bulk,
    bytes: limits.body,
    members: isPatch ? members : undefined,
  }
  const data = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : html` data-${name}="${value}"`,
  )
  return html`<p class="note">${effect}
Remove the items to keep as they are. At most ${limits.bulk.toLocaleString('en')}.</p>
<p class="note" data-items${data} role="status"></p>
${jsonField(kind, [])}
${buttonsOf(form, 'Save all')}`
}

function limitOf({ sent }: TargetPage): { readonly limit?: number } {
  const limit = /[?&]limit=(\d+)/.exec(sent.url)?.[1]
  return limit === undefined ? {} : { limit: Number(limit) }
}
