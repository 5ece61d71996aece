import type { AnyOptions } from '../contract/declare/define-resource.ts'
import type { Fields } from '../contract/resource/link.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import { pathOfIssue, type SchemaIssue, type StandardSchema } from '../contract/schema/schema.ts'
import { validateNow } from '../contract/schema/validate.ts'
import { isRecord } from '../convention/declared.ts'
import { setField } from '../convention/value.ts'
import { noObjectFor } from './values.ts'
import type { Step } from './view.ts'

/**
 * Returns the faults of what a view writes into new items by itself, each with its remedy. Such a
 * fault would be that of every client. A function is judged when it runs, and so is a value for an
 * asynchronous schema.
 *
 * @see docs/requests.md, C7.1
 */
export function faultsOfInitials(view: AnyOptions, step: Step): readonly string[] {
  const { of, links, hidden } = step
  const { create, without = [] } = view
  if (create === undefined || without.includes('create')) return []
  const required = requiredFieldsOf(create)
  const constants = new Map(hidden.filter(([, initial]) => typeof initial !== 'function'))
  const draft: Fields = {}
  for (const object of objectsOf(step)) setField(draft, object, {})
  for (const [field, initial] of constants) setField(draft, field, initial)
  return issuesOf(draft, of.create).flatMap((issue) => {
    const [field = '', member = ''] = pathOfIssue(issue).map(String)
    if (!Object.hasOwn(draft, field)) return []
    const link = links.find(
      (candidate) => candidate.write && candidate.of.includes(field) && candidate.member === member,
    )
    const isOptional = link && required?.includes(String(link.fields[0])) === false
    // The client sends some of the fields that the draft lacks.
    if (link && !(isOptional && isRecord(noObjectFor(of, [field, member])))) return []
    if (constants.has(field))
      return [
        `hides "${field}" with ${JSON.stringify(constants.get(field))}, which "create" of ` +
          `"${of.name}" refuses (${issue.message}): write another value`,
      ]
    const remedy = `"hidden: { ${field}: { ${member}: …, … } }" with the whole object`
    if (link)
      return [
        `takes "${link.fields[0]}" as optional, but new items need "${field}.${member}": require ` +
          `it in "create", or write ${remedy}`,
      ]
    return member === ''
      ? []
      : [`shows a part of "${field}", whose "${member}" new items need too: write ${remedy}`]
  })
}

// The objects that the view makes of the members that it shows.
function objectsOf({ of, links, hidden }: Step): readonly string[] {
  const required = requiredFieldsOf(of.create) ?? []
  const isSent = (object: string): boolean =>
    links.some((link) => link.member === undefined && link.write && link.of.includes(object))
  return links
    .filter(({ member, write, of: [object = ''] }) =>
      member === undefined ? false : write !== undefined || required.includes(object),
    )
    .flatMap((link) => link.of)
    .filter((object) => !hidden.some(([field]) => field === object) && !isSent(object))
}

function issuesOf(draft: object, schema: StandardSchema): readonly SchemaIssue[] {
  try {
    return validateNow(schema, draft)?.issues ?? []
  } catch {
    // A schema need not take a part of an item.
    return []
  }
}
