import type { ToJsonSchema } from '../contract/schema/json-schema.ts'
import { checkFunction, checkLists, checkOptions, meant } from '../convention/declaration.ts'
import type { ProblemCode } from '../convention/operations.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf, isRecord } from '../convention/value.ts'

/** The `info` of the document. Further members appear unchanged. */
export interface OpenApiInfo {
  readonly title: string
  /** The version of the document, not one of the api's: `1.4.0`. */
  readonly version: string
  /** Markdown. The rules for every path follow it. Default: none. */
  readonly description?: string
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string }
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
  readonly [member: string]: unknown
}

/** A server of the service. */
export interface OpenApiServer {
  /** Absolute, or relative to the document's URL. */
  readonly url: string
  readonly description?: string
  readonly [member: string]: unknown
}

/** Required security schemes by name, each with its scopes: `{ bearer: [] }`. */
export type OpenApiSecurity = Readonly<Record<string, readonly string[]>>

/** The options of {@link toOpenApi}. */
export interface OpenApiOptions {
  readonly info: OpenApiInfo
  /** Default: the document's origin. */
  readonly servers?: readonly OpenApiServer[]
  /** Ways to authenticate, one of which is enough: `[{ bearer: [] }]`. Default: none. */
  readonly security?: readonly OpenApiSecurity[]
  /** By name, as in OpenAPI: `{ bearer: { type: 'http', scheme: 'bearer' } }`. Default: none. */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** Descriptions by noun, in Markdown. Default: its paths, sortable and searchable fields. */
  readonly tags?: Readonly<Record<string, string>>
  /**
   * Returns the JSON Schema (2020-12) of a schema, or `undefined` to try the schema itself. For
   * validators without JSON Schema: `toJsonSchema` of `@valibot/to-json-schema`. Default: none.
   */
  readonly toJsonSchema?: ToJsonSchema
  /** An example item by resource name. Default: none. */
  readonly examples?: Readonly<Record<string, object>>
  /** Further problems that adapters and middleware throw at any operation. Default: none. */
  readonly problems?: readonly ProblemCode[]
  /** The URL before the code in a problem's `type`. Default: the registry's. */
  readonly problemTypes?: string
  /** `all` adds HEAD and OPTIONS of every path, a quarter of the document. Default: `main`. */
  readonly methods?: 'all' | 'main'
  /**
   * `union` describes every body in the schemas, as validating proxies need: a POST takes an item
   * or an array, and a response to `fields` or `dry_run` may lack fields. `extension` describes
   * whole items, as generated clients need, and the rest in `x-nounful-many`, `x-nounful-fields`
   * and `x-nounful-dry-run` beside them. Default: `extension`.
   */
  readonly arrays?: 'extension' | 'union'
  /** The only version to describe: `v1`. Default: all. */
  readonly version?: string
}

const optionNames: Record<keyof OpenApiOptions, true> = {
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
  arrays: true,
  version: true,
}

const owner = 'An OpenAPI document'

/**
 * Checks the options of a program without types.
 *
 * @param names The known resources, nouns and versions.
 * @throws {TypeError} For an unknown or invalid option.
 */
export function checkOpenApiOptions(
  options: OpenApiOptions,
  names: Readonly<Record<'resources' | 'nouns' | 'versions', readonly string[]>>,
): void {
  checkOptions(owner, options, optionNames)
  checkLists(owner, options, ['servers', 'security', 'problems'])
  checkInfo(options.info)
  checkText('problemTypes', options.problemTypes)
  for (const [option, value] of Object.entries(options)) checkJson(option, value)
  const { servers = [], security = [], examples = {}, problems = [], toJsonSchema } = options
  for (const server of servers) {
    const isServer = isRecord(server) && typeof server.url === 'string'
    const url = '{ url: "https://notes.example" }'
    ensure(isServer, `Invalid server ${JSON.stringify(server)}: write ${url}.`)
  }
  checkNames(options.examples, { option: 'examples', noun: 'resource', names: names.resources })
  for (const [name, example] of Object.entries(examples))
    ensure(isRecord(example), `The example of "${name}" must be an item: write { id: …, … }.`)
  checkNames(options.tags, { option: 'tags', noun: 'noun', names: names.nouns })
  const schemes = Object.keys(Object(options.securitySchemes))
  for (const scheme of security)
    checkNames(scheme, { option: 'security', noun: 'security scheme', names: schemes })
  // Throws for an unknown code.
  for (const code of problems) problem(code)
  if (toJsonSchema !== undefined)
    checkFunction('"toJsonSchema"', toJsonSchema, '(schema, direction) => ({ … })')
  for (const [option, words] of Object.entries(choices)) checkChoice(option, options, words)
  const { version } = options
  ensure(
    version === undefined || names.versions.includes(version),
    `Unknown version ${JSON.stringify(version)}. The api has ${names.versions.join(', ')}.`,
  )
}

const choices = { methods: ['all', 'main'], arrays: ['extension', 'union'] } as const

function checkChoice(option: string, options: object, words: readonly string[]): void {
  const word: unknown = fieldOf(options, option)
  const isWord = word === undefined || words.some((allowed) => allowed === word)
  ensure(isWord, `Invalid "${option}" ${JSON.stringify(word)}. Allowed: ${words.join(', ')}.`)
}

function checkInfo(info: unknown): void {
  const { title, version, description } = isRecord(info) ? info : {}
  ensure(
    typeof title === 'string' && typeof version === 'string',
    `${owner} needs a title and a version: write { info: { title: "Notes", version: "1.0.0" } }.`,
  )
  checkText('description', description)
}

function checkJson(option: string, value: unknown): void {
  try {
    JSON.stringify(value)
  } catch (error) {
    throw new TypeError(`JSON cannot express "${option}": ${String(error)}`)
  }
}

function checkText(option: string, text: unknown): void {
  const isText = text === undefined || typeof text === 'string'
  ensure(isText, `"${option}" must be text, not ${JSON.stringify(text)}.`)
}

function ensure(condition: boolean, message: string): void {
  if (!condition) throw new TypeError(message)
}

interface NamedOption {
  /** The option that holds the names. */
  readonly option: string
  readonly noun: string
  readonly names: readonly string[]
}

// An unknown name would have no effect.
function checkNames(value: unknown, { option, noun, names }: NamedOption): void {
  if (value === undefined) return
  ensure(isRecord(value), `"${option}" takes an object by name, not ${JSON.stringify(value)}.`)
  const unknownName = Object.keys(Object(value)).find((name) => !names.includes(name))
  if (unknownName === undefined) return
  const remedy = names.length > 0 ? meant(unknownName, names) : 'none is declared'
  throw new TypeError(`Unknown ${noun} "${unknownName}" in "${option}": ${remedy}.`)
}
