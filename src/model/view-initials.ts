import type { Fields } from './link.ts'
import { requiredFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import { pathOfIssue, type SchemaIssue, type StandardSchema } from './schema.ts'
import { validateNow } from './validate.ts'
import { setField } from './value.ts'
import type { Step } from './view.ts'

/**
 * Returns the fault of what a view writes into new items by itself, with its remedy; `undefined`
 * for none. Such a fault would be that of every client. A function is judged when it runs, and so
 * is a value for an asynchronous schema.
 *
 * @see docs/requests.md, C7.1
 */
export function faultOfInitials(
  { without }: Pick<Resource, 'without'>,
  step: Step,
): string | undefined {
  const { of, links, hidden } = step
  if (without.includes('create')) return undefined
  const constants = new Map(hidden.filter(([, initial]) => typeof initial !== 'function'))
  const draft: Fields = {}
  for (const object of objectsOf(step)) setField(draft, object, {})
  for (const [field, initial] of constants) setField(draft, field, initial)
  for (const issue of issuesOf(draft, of.create)) {
    const [field = '', member = ''] = pathOfIssue(issue).map(String)
    const isSent = links.some(
      (link) => link.write && link.of.includes(field) && link.member === member,
    )
    // The client sends some of the fields that the draft lacks.
    if (!Object.hasOwn(draft, field) || isSent) continue
    if (constants.has(field))
      return (
        `hides "${field}" with ${JSON.stringify(constants.get(field))}, which "create" of ` +
        `"${of.name}" refuses (${issue.message}): write another value`
      )
    if (member !== '')
      return (
        `shows a part of "${field}", whose "${member}" new items need too: write ` +
        `"hidden: { ${field}: { ${member}: …, … } }" with the whole object`
      )
  }
  return undefined
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
