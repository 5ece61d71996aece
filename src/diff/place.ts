/** A body of requests, or the items of responses. */
type PlaceBody = 'create' | 'update' | 'item'

/** The place of a change, in parts. */
interface PlaceParts {
  /** `v1 /companies/:company_id/employees, v1 /employees`, or a whole place of another form. */
  readonly mounts: string
  /** `undefined` for a place at no body. */
  readonly body: PlaceBody | undefined
  /** A JSON Pointer: `/name`; `undefined` for a whole body, and for a place at none. */
  readonly pointer: string | undefined
}

const bodies: readonly PlaceBody[] = ['create', 'update', 'item']

/** Reads the place of a change: `v1 /employees update /name`. */
export function parsePlace(at: string): PlaceParts {
  const [, mounts = at, word, pointer] = /^(.+?) (create|update|item)(?: (\/.*))?$/s.exec(at) ?? []
  return { mounts, body: bodies.find((body) => body === word), pointer }
}
