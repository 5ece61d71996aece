import type { Collection } from '../contract/resource/api.ts'
import type { Deprecation } from '../contract/resource/lifecycle.ts'
import { formatAnnouncement } from '../wire/lifecycle.ts'
import type { Components } from './components.ts'
import type { Node } from './json-schema.ts'

type Deprecatable = Pick<Collection, 'deprecation'>

/** Returns the members of an operation that announce its end: none for one that stays. */
export function endMembers({ deprecation }: Deprecatable): Node {
  if (deprecation === undefined) return {}
  return { deprecated: true, 'x-sunset': deprecation.sunset }
}

/** Adds the headers that announce the end of an operation to each of its responses. */
export function withEnd(
  responses: Readonly<Record<string, Node>>,
  { deprecation }: Deprecatable,
  components: Components,
): Readonly<Record<string, Node>> {
  if (deprecation === undefined) return responses
  const headers = endHeaders(deprecation)
  // Operations with the same headers share their problems.
  const headerKeys = headers.map(({ key }) => key).join('.')
  const endHeadersByName = Object.fromEntries(
    headers.map(({ name, key, header }) => [name, components.refer('headers', key, () => header)]),
  )
  const withEndHeaders = (response: Node): Node => {
    const [, name] = /^#\/components\/responses\/(.*)$/.exec(String(response.$ref)) ?? []
    if (name === undefined)
      return { ...response, headers: { ...Object(response.headers), ...endHeadersByName } }
    const shared = components.shared.responses[name]
    const naming = { name: `${name}.deprecated`, key: headerKeys }
    return components.refer('responses', naming, () => withEndHeaders(Object(shared)))
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, withEndHeaders(response)]),
  )
}

const optionalText = { type: ['string', 'null'] }

/** The members by which OPTIONS describes the end of a path. */
export const endProperties: Node = {
  deprecated: { type: 'string', description: 'The day from which the path is deprecated.' },
  sunset: { ...optionalText, description: 'The day from which the path may be gone.' },
  successor: { ...optionalText, description: 'The version that takes the place of this one.' },
  docs: { ...optionalText, description: 'A page about the end, for people.' },
}

interface EndHeader {
  readonly name: string
  /** The name of the component: `sunset`, or `link.optional`. */
  readonly key: string
  readonly header: Node
}

const descriptions = {
  Deprecation: 'The moment from which new clients should use something else (RFC 9745).',
  Sunset: 'The moment from which the path may be gone (RFC 8594).',
  Link:
    'The same target in the newer version, if there is one (`successor-version`), and a page ' +
    'about the end (`deprecation`, `sunset`). For a list also the `next` page.',
} as const

const exampleHeaders = formatAnnouncement({
  deprecatedAt: Date.UTC(2026, 10) / 1000,
  sunsetAt: Date.UTC(2027, 10) / 1000,
  successor: '/v2/notes/7',
  docs: undefined,
})

function endHeaders({ sunset, successor, docs }: Deprecation): readonly EndHeader[] {
  return [
    endHeader('Deprecation', 'required'),
    ...(sunset === undefined ? [] : [endHeader('Sunset', 'required')]),
    ...(docs === undefined ? [] : [endHeader('Link', 'required')]),
    // Not each path has the same items in the newer version.
    ...(docs === undefined && successor !== undefined ? [endHeader('Link', 'optional')] : []),
  ]
}

function endHeader(name: keyof typeof descriptions, presence: 'required' | 'optional'): EndHeader {
  const lowerName = name.toLowerCase()
  const isRequired = presence === 'required'
  return {
    name,
    key: isRequired ? lowerName : `${lowerName}.${presence}`,
    header: {
      description: descriptions[name],
      ...(isRequired ? { required: true } : {}),
      schema: { type: 'string' },
      example: exampleHeaders[lowerName as keyof typeof exampleHeaders],
    },
  }
}
