import type { Collection } from '../contract/resource/api.ts'
import { bodyOf, bodySchemaOf, changesStored } from '../convention/kinds.ts'
import type { OperationKind } from '../convention/operations.ts'
import { fieldOf } from '../convention/value.ts'
import { methodsFor } from '../wire/request.ts'
import { controlOf } from './control.ts'
import { allowsOtherFields, type FormField, formFieldsOf } from './fields.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { suggestionsFor } from './linked-value.ts'
import { type TargetPage, takesArray } from './page-data.ts'

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
export function bodyFormOf(kind: OperationKind, page: TargetPage, more: HtmlContent): Html {
  const { isMany = false, isPatch = false } = bodyOf(kind) ?? {}
  const form = { kind, page, isPatch, more }
  return isMany ? bulkForm(form) : itemForm(form)
}

function itemForm(form: BodyForm): Html {
  const { kind, page, isPatch } = form
  const { collection, kind: target } = page.target
  const side = bodySchemaOf(kind) ?? 'update'
  const isStored = target === 'item' && page.received.status === 200
  const item: object | undefined = isStored ? Object(page.body) : undefined
  const schema = page.settings.schemaOf(collection.resource[side], 'input')
  const preset = new Set([...presetFields(collection, side), ...page.hidden])
  const fields = formFieldsOf(schema)?.filter(({ name }) => !preset.has(name))
  const label = side === 'create' ? 'Create' : 'Save'
  if (fields === undefined) {
    const initial = isPatch ? undefined : item
    return html`${arrayNote(form)}${jsonField(kind, initial ?? {})}\n${buttonsOf(form, label)}`
  }
  const fieldNames = new Set(fields.map(({ name }) => name))
  const isOpenSchema = allowsOtherFields(schema)
  const entries = Object.entries(item ?? {}).filter(
    ([name]) => !preset.has(name) && (isOpenSchema || fieldNames.has(name)),
  )
  if (isReplacement(form)) {
    return html`<p class="note">Replaces the item: a field that you leave out is removed.</p>
${jsonField(kind, Object.fromEntries(entries))}\n${buttonsOf(form, label)}`
  }
  const unshown = isPatch ? [] : entries.filter(([name]) => !fieldNames.has(name))
  const extraFields = isOpenSchema ? Object.fromEntries(unshown) : undefined
  const toggle = html`\n<button type="button" data-toggle aria-pressed="false">Write JSON</button>`
  return html`${scopeNotes(page)}${arrayNote(form)}${fieldset(form, fields, { item, extraFields })}
${jsonField(kind, undefined)}\n${buttonsOf(form, label, toggle)}`
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

// Fields that the path gives, and fields that only the server sets.
function presetFields(
  { resource, owners }: Collection,
  side: 'create' | 'update',
): ReadonlySet<string> {
  return new Set([...owners, ...resource.readOnly, ...(side === 'update' ? ['id'] : [])])
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
  const { references } = page.target.collection.resource
  const controls = fields.map((field, index) => {
    const suggestions = (id: string) => suggestionsFor(page, field.name, id)
    const isReference = references.some((reference) => reference.field === field.name)
    // A patch sends the fields that differ from the stored ones.
    const initial = isPatch ? (item ?? {}) : item
    const id = `${kind}-${index}`
    return controlOf({ field, id, item: initial, isPatch, isReference, suggestions })
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

function bulkForm(form: BodyForm): Html {
  const { kind, page, isPatch } = form
  const { limits } = page.settings.registry
  const items: readonly object[] = Array.isArray(page.body) ? page.body.slice(0, limits.bulk) : []
  const entries = isPatch ? items.map((item) => conditionOf(item, page)) : items
  const isTooLong = JSON.stringify(entries, undefined, 2).length > limits.body
  const proviso = isTooLong ? ' The items of this page are too long for this form.' : ''
  const effect = isPatch
    ? 'Changes only the fields that you add to these items, all or none. null clears a field.'
    : 'Replaces exactly these items, all or none.'
  return html`<p class="note">${effect}
Remove the items to keep as they are. At most ${limits.bulk.toLocaleString('en')}.${proviso}</p>
${jsonField(kind, isTooLong ? [] : entries)}
${buttonsOf(form, 'Save all')}`
}

// The id of an item, and the revision that it must still have.
function conditionOf(item: object, { target }: TargetPage): object {
  const { revision } = target.collection.resource
  const names = ['id', ...(revision === undefined ? [] : [revision])]
  return Object.fromEntries(names.map((name) => [name, fieldOf(item, name)]))
}
