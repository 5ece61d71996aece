import { bodies } from '../convention/operations.ts'
import { exactCount } from '../wire/conditions.ts'
import type { Node } from './json-schema.ts'

type Section = 'parameters' | 'requestBodies' | 'responses' | 'headers' | 'links' | 'examples'

/** A short name that different parts may share: the second one gets a number. */
interface NumberedName {
  readonly name: string
  /** Equal for equal parts. */
  readonly key: string
}

/** The parts that the operations of a document share, except schemas. */
export interface Components {
  /** By section, then by name, in order of creation. */
  readonly shared: Readonly<Record<Section, Readonly<Record<string, Node>>>>
  /** Returns a reference to a named part, and makes the part at its first use. */
  refer(section: Section, naming: string | NumberedName, create: () => Node): Node
}

/** Makes empty components. */
export function createComponents(): Components {
  const shared: Record<Section, Record<string, Node>> = {
    responses: {},
    requestBodies: {},
    parameters: {},
    headers: {},
    links: {},
    examples: {},
  }
  const names = new Map<string, string>()
  const nameOf = (section: Section, { name, key }: NumberedName): string => {
    const componentKey = `${section} ${name} ${key}`
    const uniqueName = names.get(componentKey) ?? freeName(name, shared[section])
    names.set(componentKey, uniqueName)
    return uniqueName
  }
  return {
    shared,
    refer(section, naming, create) {
      const name = typeof naming === 'string' ? naming : nameOf(section, naming)
      if (!Object.hasOwn(shared[section], name)) shared[section][name] = create()
      return { $ref: `#/components/${section}/${name}` }
    },
  }
}

function freeName(name: string, namespace: object): string {
  if (!Object.hasOwn(namespace, name)) return name
  for (let number = 2; ; number++) {
    if (!Object.hasOwn(namespace, `${name}.${number}`)) return `${name}.${number}`
  }
}

const text: Node = { type: 'string' }

const headers = {
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: text,
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path takes.',
    required: true,
    schema: text,
    example: 'GET, HEAD, POST, OPTIONS',
  },
  'Retry-After': {
    description: 'Seconds to wait before asking again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'Accept-Patch': {
    description: 'The media types of a PATCH (RFC 5789).',
    schema: text,
    example: bodies.patch.types.join(', '),
  },
  Link: {
    description: 'The next page, if there is one (RFC 8288).',
    schema: text,
    example: '</v1/notes?limit=20&after=WyJBbm4iXQ>; rel="next"',
  },
  'X-Total-Count': {
    description: 'The number of all matching items, on every page.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Preference-Applied': {
    description: 'The preference that the server followed (RFC 7240).',
    schema: text,
    example: exactCount,
  },
  Location: {
    description: 'The path of the new item.',
    schema: { ...text, format: 'uri-reference' },
  },
  'Idempotency-Replayed': {
    description: 'An earlier request with this `Idempotency-Key` created the item.',
    schema: { ...text, enum: ['true'] },
  },
  ETag: {
    description: 'The revision of the item, for `If-Match`. Absent with `fields`.',
    schema: text,
    example: '"3"',
  },
} as const

/** The name of a header that a response may have. */
export type HeaderName = keyof typeof headers

/**
 * Returns the member `headers` of a response, if it has some.
 *
 * @param required The headers that the response always has, beside those that every one has.
 */
export function withHeaders(
  names: readonly HeaderName[],
  components: Components,
  required: readonly HeaderName[] = [],
): Node {
  if (names.length === 0) return {}
  const entries = names.map((name) => {
    const isRequired = required.includes(name)
    const createHeader = (): Node =>
      isRequired ? { ...headers[name], required: true } : headers[name]
    return [name, components.refer('headers', isRequired ? `${name}.required` : name, createHeader)]
  })
  return { headers: Object.fromEntries(entries) }
}
