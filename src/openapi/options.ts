import { type ProblemCode, problems } from '../model/convention.ts'
import { checkFunction, checkLists, checkOptions, isRecord, meant } from '../model/declared.ts'
import type { ToJsonSchema } from '../model/json-schema.ts'

/** What the document says of the service; further members are handed on as they are. */
export interface OpenApiInfo {
  readonly title: string
  /** The version of the document, not one of the api's: `1.4.0`. */
  readonly version: string
  /** Markdown. What holds for every path is said after it. Default: none. */
  readonly description?: string
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string }
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
  readonly [member: string]: unknown
}

/** Where the service is. */
export interface OpenApiServer {
  /** Absolute, or relative to where the document is read from. */
  readonly url: string
  readonly description?: string
  readonly [member: string]: unknown
}

/** The schemes of which all must be met, by name, with the scopes each needs: `{ bearer: [] }`. */
export type OpenApiSecurity = Readonly<Record<string, readonly string[]>>

/** What {@link toOpenApi} takes besides the api; all but `info` is optional. */
export interface OpenApiOptions {
  readonly info: OpenApiInfo
  /** Default: where the document is read from. */
  readonly servers?: readonly OpenApiServer[]
  /** How clients may say who they are: `[{ bearer: [] }]`; one of them is enough. Default: none is asked for. */
  readonly security?: readonly OpenApiSecurity[]
  /** By name, as OpenAPI writes them: `{ bearer: { type: 'http', scheme: 'bearer' } }`. Default: none. */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** What is said of a noun, by noun; Markdown. Default: where it is, and what it can be sorted by and searched in. */
  readonly tags?: Readonly<Record<string, string>>
  /**
   * The JSON Schema (2020-12) of a schema, asked before the schema itself; `undefined` where it does not know, too.
   * For validators that cannot tell: `toJsonSchema` of `@valibot/to-json-schema`. Default: none.
   */
  readonly toJsonSchema?: ToJsonSchema
  /** An item of a resource, by its name. Default: none. */
  readonly examples?: Readonly<Record<string, object>>
  /** Problems that adapters and middleware throw wherever they like, beyond those the library knows of. Default: none. */
  readonly problems?: readonly ProblemCode[]
  /** A URL to which problem codes are added to make their `type`. Default: the registry's. */
  readonly problemTypes?: string
  /** `main` leaves out HEAD and OPTIONS, which every path has; a document is a quarter smaller then. Default: `all`. */
  readonly methods?: 'all' | 'main'
}

const known: Record<keyof OpenApiOptions, true> = {
  info: true,
  servers: true,
  security: true,
  securitySchemes: true,
  tags: true,
  toJsonSchema: true,
  examples: true,
  problems: true,
  problemTypes: true,
  methods: true,
}

const place = 'An OpenAPI document'

/**
 * Checks what a program without types gave as options.
 *
 * @param names What there is to say something of: the resources, and the nouns that are tags.
 * @throws {TypeError} The message says what to write instead.
 */
export function checkOpenApiOptions(
  options: OpenApiOptions,
  names: { readonly resources: readonly string[]; readonly nouns: readonly string[] },
): void {
  checkOptions(place, options, known)
  checkLists(place, options, ['servers', 'security', 'problems'])
  checkInfo(options.info)
  const { methods = 'all', toJsonSchema, securitySchemes, security = [] } = options
  checkServers(options.servers)
  checkNames(options.examples, { option: 'examples', what: 'resource', names: names.resources })
  checkExamples(options.examples)
  checkNames(options.tags, { option: 'tags', what: 'noun', names: names.nouns })
  for (const scheme of security) {
    const names = Object.keys(Object(securitySchemes))
    checkNames(scheme, { option: 'security', what: 'security scheme', names })
  }
  checkCodes(options.problems)
  checkText('problemTypes', options.problemTypes)
  if (toJsonSchema !== undefined) {
    checkFunction('"toJsonSchema"', toJsonSchema, '(schema, direction) => ({ … })')
  }
  if (methods !== 'all' && methods !== 'main') {
    throw new TypeError(`"methods" cannot be ${JSON.stringify(methods)}: write "all" or "main".`)
  }
}

function checkInfo(info: unknown): void {
  const { title, version, description } = isRecord(info) ? info : {}
  if (typeof title !== 'string' || typeof version !== 'string') {
    throw new TypeError(
      `${place} needs a title and a version: write { info: { title: "Notes", version: "1.0.0" } }.`,
    )
  }
  checkText('description', description)
}

function checkText(option: string, text: unknown): void {
  if (text === undefined || typeof text === 'string') return
  throw new TypeError(`"${option}" is a text, not ${JSON.stringify(text)}.`)
}

function checkExamples(examples: OpenApiOptions['examples'] = {}): void {
  for (const [name, example] of Object.entries(examples)) {
    if (isRecord(example)) continue
    throw new TypeError(`An example of "${name}" is an item: write { id: …, … }.`)
  }
}

function checkServers(servers: readonly unknown[] = []): void {
  for (const server of servers) {
    if (isRecord(server) && typeof server.url === 'string') continue
    throw new TypeError(
      `A server cannot be ${JSON.stringify(server)}: write { url: "https://notes.example" }.`,
    )
  }
}

function checkCodes(codes: readonly ProblemCode[] = []): void {
  for (const code of codes) {
    if (Object.hasOwn(problems, code)) continue
    throw new TypeError(`There is no problem "${code}": ${meant(code, Object.keys(problems))}.`)
  }
}

interface Named {
  /** What the names are of. */
  readonly option: string
  readonly what: string
  readonly names: readonly string[]
}

// What is said of a name that there is not would be ignored, and nobody would know.
function checkNames(given: unknown, { option, what, names }: Named): void {
  if (given === undefined) return
  if (!isRecord(given)) {
    throw new TypeError(`"${option}" takes an object by name, not ${JSON.stringify(given)}.`)
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const instead = names.length > 0 ? meant(unknown, names) : 'there are none'
  throw new TypeError(`There is no ${what} "${unknown}" for "${option}": ${instead}.`)
}
