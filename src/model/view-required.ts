import { jsonSchemaOf } from './json-schema.ts'
import type { Link } from './link.ts'
import { outlineOf } from './outline.ts'
import { namedFieldsOf, requiredFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import type { Step } from './view.ts'

/**
 * Returns the fault of a field that the view requires, and that an item beneath may lack, with its
 * remedy; `undefined` for none. The server cannot send such an item.
 *
 * @see docs/requests.md, C7.1
 */
export function faultOfRequired(
  { schema }: Pick<Resource, 'schema'>,
  { of, links }: Step,
): string | undefined {
  const required = new Set(requiredFieldsOf(schema))
  for (const link of links) {
    const field = link.fields.find((name) => required.has(name))
    const source = field === undefined ? undefined : lackedBy(link, of)
    if (source === undefined) continue
    const standIn =
      link.form === 'name' ? `write "${field}: { of: '${source}', absent: … }", or ` : ''
    return (
      `requires "${field}", but an item of "${of.name}" may lack its "${source}": ` +
      `${standIn}make "${field}" optional`
    )
  }
  return undefined
}

// A value that a function makes is the concern of the function.
function lackedBy({ form, of, member }: Link, { schema }: Resource): string | undefined {
  const named = namedFieldsOf(schema)
  const required = requiredFieldsOf(schema)
  const lacked = of.filter((name) => named?.includes(name) && !required?.includes(name))
  const [source] = lacked
  switch (form) {
    case 'name':
    case 'values':
    case 'part':
      return source
    case 'join':
      return lacked.length === of.length ? source : undefined
    case 'in':
      return source ?? lackedInside(schema, of[0], member)
    default:
      return undefined
  }
}

function lackedInside(schema: Resource['schema'], object = '', member = ''): string | undefined {
  const outline = outlineOf(jsonSchemaOf(schema) ?? {}).fields?.get(object)?.outline
  const isLacked = outline?.fields?.get(member)?.isRequired === false
  return isLacked ? `${object}.${member}` : undefined
}
