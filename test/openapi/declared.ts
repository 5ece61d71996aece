import type { HttpResponse } from 'nounful'
import type { OpenApiDocument } from 'nounful/openapi'

type Part = Readonly<Record<string, unknown>>

/** An operation of a document with resolved references. */
export interface Declared {
  /** `GET /v1/notes/{id}` */
  readonly name: string
  readonly parameters: readonly Part[]
  /** The schema of its body. */
  readonly body: unknown
  readonly responses: Readonly<Record<string, Part>>
}

/** Resolves a reference. */
export function follow(document: OpenApiDocument, part: unknown): Part {
  const { $ref } = Object(part)
  if (typeof $ref !== 'string') return Object(part)
  const [, , sort = '', name = ''] = $ref.split('/')
  return Object(document.components[sort]?.[name])
}

/**
 * Finds operations by method and URL; `undefined` when the document has none. The extensions of an
 * operation describe an array of new items, `fields` and `dry_run`.
 */
export function finderFor(
  document: OpenApiDocument,
): (method: string, url: string, body?: unknown) => Declared | undefined {
  const templates = Object.keys(document.paths)
    .map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
    // Literal segments come before parameters.
    .sort((one, other) => one.template.split('{').length - other.template.split('{').length)
  return (method, url, body) => {
    const path = url.replace(/\?.*$/s, '')
    const found = templates.find(({ pattern }) => pattern.test(path))
    const item = found && document.paths[found.template]
    const operation = item?.[method.toLowerCase()]
    if (!found || !item || operation === undefined) return undefined
    return declaredBy(document, `${method} ${found.template}`, {
      item,
      operation: variantOf(Object(operation), url, body),
    })
  }
}

function variantOf(operation: Part, url: string, body: unknown): Part {
  const query = new URL(url.replace(/^\/+/, '/'), 'http://x').searchParams
  const isMany = typeof body === 'string' && body.trim().startsWith('[')
  const hasFields = query.getAll('fields').some((names) => /[^,]/.test(names))
  const isDry = query.get('dry_run') === 'true'
  const { 'x-nounful-fields': fields, 'x-nounful-dry-run': dryRun, ...rest } = operation
  const { 'x-nounful-many': many } = rest
  const variants = [hasFields && fields, isDry && dryRun, isMany && many].map(Object)
  const responses = [operation, ...variants].map((variant) => variant.responses)
  return Object.assign({}, operation, ...variants, { responses: Object.assign({}, ...responses) })
}

function declaredBy(
  document: OpenApiDocument,
  name: string,
  { item, operation }: { readonly item: Part; readonly operation: Part },
): Declared {
  const parameters = [item.parameters ?? [], operation.parameters ?? []].flat()
  const { content } = follow(document, operation.requestBody)
  return {
    name,
    parameters: parameters.map((parameter) => follow(document, parameter)),
    body: Object(content)['application/json']?.schema,
    responses: Object.fromEntries(
      Object.entries(Object(operation.responses)).map(([status, response]) => [
        status,
        follow(document, response),
      ]),
    ),
  }
}

const telling = [
  'allow',
  'accept-patch',
  'location',
  'link',
  'deprecation',
  'sunset',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-total-count',
  'preference-applied',
]

/** Lists the parts of a response that the document does not declare. */
export function undeclaredIn(
  document: OpenApiDocument,
  { name, responses }: Declared,
  { status, headers, body }: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
): readonly string[] {
  const response = responses[status]
  const code = status < 400 || body === undefined ? '' : ` ${Object(body).code}`
  const place = `${name} → ${status}${code}`
  if (response === undefined) return [place]
  const declared = Object.entries(Object(response.headers)).map(
    ([header, part]) => [header.toLowerCase(), follow(document, part)] as const,
  )
  const names = declared.map(([header]) => header)
  const needed = declared.filter(([, { required }]) => required === true).map(([header]) => header)
  const faults = [
    ...telling
      .filter((header) => headers[header] !== undefined && !names.includes(header))
      .map((header) => `${place}: sends ${header}`),
    ...needed
      .filter((header) => headers[header] === undefined)
      .map((header) => `${place}: does not send ${header}`),
  ]
  if (body === undefined) return faults
  const content = Object(response.content)[String(headers['content-type'])]
  if (content === undefined) return [...faults, `${place}: is ${headers['content-type']}`]
  if (status < 400) return faults
  const { code: codes } = Object(Object(content).schema).allOf[1].properties
  return codes.enum.includes(Object(body).code) ? faults : [...faults, place]
}
