import { type AdapterMethod, methodSets } from '../../convention/adapter-methods.ts'
import type { OperationKind } from '../../convention/operations.ts'
import type { Resource } from './resource.ts'

/** The kinds that replace items, with those that change them. */
const replacingKinds = [
  ['update', 'patch', 'modify'],
  ['updateMany', 'patchMany', 'modifyMany'],
] as const

type Methods = { readonly [Method in AdapterMethod]?: unknown }

/** A resource whose stored items decide what a replacement does. */
interface KeepingResource extends Pick<Resource, 'restricted' | 'keep' | 'states' | 'revision'> {
  /** It has a rule for changes. */
  readonly isRuled: boolean
}

/**
 * Returns the fault of an adapter that could lose at a replacement what the client does not say,
 * with its remedy; `undefined` for none.
 */
export function faultOfKeeping(
  resource: KeepingResource,
  adapter: Methods,
  kinds: readonly OperationKind[],
): string | undefined {
  const reason = reasonToKeep(resource)
  if (reason === undefined) return undefined
  const { revision } = resource
  const unsupported = replacingKinds.find(
    ([kind, patchKind]) =>
      kinds.includes(kind) &&
      !methodSets[patchKind].some((set) =>
        set.every((requirement) =>
          requirement === 'revision'
            ? revision !== undefined
            : typeof adapter[requirement] === 'function',
        ),
      ),
  )
  if (unsupported === undefined) return undefined
  const [kind, , method] = unsupported
  const [fact, verb] = reason
  return (
    `${fact}, so "${kind}" has to ${verb} what is stored: give its adapter "read" and ` +
    `"${method}", declare a "revision", or write "without: ['${kind}']"`
  )
}

type Reason = readonly [fact: string, verb: string]

function reasonToKeep({ restricted, keep, states, isRuled }: KeepingResource): Reason | undefined {
  if (restricted.length > 0) return [`restricts "${restricted[0]}"`, 'keep']
  if (keep.length > 0) return [`keeps "${keep[0]}"`, 'keep']
  if (states !== undefined) return [`has states of "${states.field}"`, 'compare it with']
  return isRuled ? ['has a rule "change"', 'judge'] : undefined
}

/**
 * Tells whether a body replaces items, and its client may leave out some fields. The core then puts
 * in the stored values before it validates.
 */
export function keepsStored({
  row,
  resource,
}: {
  readonly row: { readonly method: string }
  readonly resource: Pick<Resource, 'restricted' | 'keep'>
}): boolean {
  return row.method === 'PUT' && (resource.restricted.length > 0 || resource.keep.length > 0)
}

/** Returns the fields that a replacement leaves as they are stored. */
export function fieldsKeptBy(
  body: object,
  { restricted, keep }: Pick<Resource, 'restricted' | 'keep'>,
): readonly string[] {
  return [...restricted, ...keep.filter((field) => !Object.hasOwn(body, field))]
}
