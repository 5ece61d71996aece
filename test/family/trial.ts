import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type HttpRequest, type HttpResponse, handle, type Registry } from 'nounful'
import { type OpenApiDocument, toOpenApi } from 'nounful/openapi'
import { finderFor, undeclaredIn } from '../openapi/declared.ts'
import { isAlike } from '../support/alike.ts'
import type { Contract } from './contract.ts'
import type { Fault } from './fault.ts'
import type { Item } from './levels.ts'
import { type Caller, memoryService, type Service, sqliteService } from './service.ts'

/** A response as plain JSON, without its date. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A request of a caller. */
export interface Asked {
  readonly as: Caller
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent to the contract that leaves no operation out. */
  readonly isFull?: boolean
}

/** A contract that is tried, in memory and in a database. */
export interface Trial {
  readonly contract: Contract
  readonly services: readonly [Service, Service]
  readonly document: OpenApiDocument
  /** The laws that a response broke: each with the request. */
  readonly faults: Fault[]
  readonly sent: { count: number }
  /** Sends a request to both stores. Notes each difference, each 5xx, and each undeclared part. */
  ask(request: Asked): Promise<Answer>
  /** Notes a broken law of the last request. */
  note(law: string, detail: string): void
  end(): Promise<void>
}

/** The words that only items of Bob hold. */
export const marker = 'zzbob'

const info = { title: 'Family', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } }

/** Opens the stores of a contract. */
export async function tryContract(contract: Contract): Promise<Trial> {
  const services = [memoryService(contract), await sqliteService(contract)] as const
  const [memory, sqlite] = services
  const document = toOpenApi(memory.registry, { info })
  const declared = declaredBy(document)
  const faults: Fault[] = []
  const sent = { count: 0 }
  let last = ''
  const note = (law: string, detail: string) => {
    faults.push({ law, detail: `${last}\n      ${detail}` })
  }
  const ask = async (asked: Asked): Promise<Answer> => {
    const request = requestOf(asked)
    last = lineOf(asked)
    sent.count++
    const side = asked.isFull ? 'full' : 'registry'
    const answer = await answerOf(request, memory[side])
    const stored = await answerOf(request, sqlite[side])
    if (!isAlike(answer, stored))
      note('stores differ', `memory ${textOf(answer)}\n      sqlite ${textOf(stored)}`)
    if (answer.status >= 500) {
      const error = memory.errors.at(-1)
      note(
        'no 5xx',
        `${textOf(answer)} ${error instanceof Error ? error.stack?.slice(0, 600) : error}`,
      )
    }
    const undeclared = asked.isFull ? [] : declared(request, answer)
    for (const fault of undeclared) note('document', `${fault}: ${textOf(answer)}`)
    if (asked.as === 'alice' && isSecret(contract) && textOf(answer).includes(marker))
      note('nothing of another caller', textOf(answer))
    return answer
  }
  const end = async () => {
    for (const service of services) await service.end()
  }
  return { contract, services, document, faults, sent, ask, note, end }
}

// The items of all callers are in one collection where they have no owner.
function isSecret({ row }: Contract): boolean {
  return row.owner !== 'none' && row.owner !== 'everybody'
}

function requestOf({ as, method, url, body, headers }: Asked): HttpRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return {
    method,
    url,
    headers: { authorization: as, ...type, ...headers },
    ...(text !== undefined && { body: text }),
  }
}

async function answerOf(request: HttpRequest, registry: Registry): Promise<Answer> {
  const { status, headers, body } = await handle(request, registry)
  const { date: _, ...rest } = headers
  return { status, headers: rest, body: await plainOf(body) }
}

async function plainOf(body: HttpResponse['body']): Promise<unknown> {
  if (body === undefined) return undefined
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body))
    return JSON.parse(JSON.stringify(body))
  const items: unknown[] = []
  for await (const item of body as AsyncIterable<unknown>) items.push(item)
  return JSON.parse(JSON.stringify(items))
}

type Declares = (request: HttpRequest, answer: Answer) => readonly string[]

// Tells what a document does not say of a response.
function declaredBy(document: OpenApiDocument): Declares {
  const find = finderFor(document)
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  const { components } = atDocument(document)
  ajv.addSchema({ $id: documentId, components })
  const known = new Map<string, ValidateFunction>()
  return ({ method, url, body: sent }, answer) => {
    const operation = find(method, url, sent)
    if (operation === undefined) return []
    const { status, headers, body } = answer
    const faults = undeclaredIn(document, operation, {
      status: status as HttpResponse['status'],
      headers,
      body,
    })
    const content = Object(operation.responses[status]?.content)[String(headers['content-type'])]
    const { schema } = Object(content)
    if (body === undefined || schema === undefined) return faults
    const name = JSON.stringify(schema)
    const validate = known.get(name) ?? ajv.compile(atDocument(schema))
    known.set(name, validate)
    if (validate(body)) return faults
    const [{ instancePath = '', message = '' } = {}] = validate.errors ?? []
    return [...faults, `${operation.name} → ${status}: ${instancePath} ${message}`]
  }
}

const documentId = 'https://family.example/'

// Each component is compiled once.
function atDocument<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part).replaceAll('"$ref":"#/', `"$ref":"${documentId}#/`))
}

/** Writes a request in one line. */
function lineOf({ as, method, url, body, headers }: Asked): string {
  const fields = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const text = body === undefined ? '' : ` ${JSON.stringify(body)}`
  return `as ${as}: ${method} ${url}${text} ${fields.join(', ')}`
}

/** Writes a response in one line. */
export function textOf({ status, headers, body }: Answer): string {
  return `${status} ${JSON.stringify(headers)} ${JSON.stringify(body)}`.slice(0, 1500)
}

/** Returns the items of a response; none where it has no list. */
export function itemsOf({ body }: Answer): readonly Item[] {
  return Array.isArray(body) ? body.map((item) => Object(item)) : []
}
