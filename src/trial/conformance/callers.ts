import { type Revealed, readRevealed } from '../../contract/declare/reveal.ts'
import type { AnyRegistry, Registry } from '../../contract/resource/registry.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import { type Caller, everything, readCaller } from '../../contract/values/caller.ts'
import type { ProvenCollection } from '../isolation/catalog.ts'
import type { BodyDraft } from '../isolation/drafts.ts'
import type { CallerName } from '../isolation/exchange.ts'
import type { ProofOptions } from '../isolation/prove.ts'

/** The headers of each caller, by lower-case name. */
export type CallerHeadersByName = Readonly<
  Partial<Record<CallerName, Readonly<Record<string, string>> | undefined>>
>

/** What a caller owns and sees. */
interface Rights {
  readonly caller: Caller | undefined
  readonly revealed: Revealed
}

/** Asks a registry which owners and restricted fields each caller has. */
export async function rightsOf(
  registry: AnyRegistry,
  callers: CallerHeadersByName,
): Promise<Pick<ProofOptions, 'ownersFor' | 'isRevealed'>> {
  const rights = new Map<string, Rights>()
  for (const [name, headers = {}] of Object.entries(callers))
    rights.set(name, await rightsWith(registry as Registry, headers))
  const { resources } = registry.api
  return {
    ownersFor: (collection, caller) => ownersIn(rights.get(caller)?.caller, collection, resources),
    isRevealed: (caller, { collection: { resource }, field }) => {
      const stored = resources.get(resource)?.view
      const name = stored?.base.name ?? resource
      const fields = rights.get(caller)?.revealed.get(name) ?? []
      return fields.includes(stored?.plainOf(field) ?? field)
    },
  }
}

// A caller that the registry refuses owns and sees nothing.
async function rightsWith(
  { api, context, scope, reveal }: Registry,
  headers: Readonly<Record<string, string>>,
): Promise<Rights> {
  try {
    const request = { method: 'GET', url: '/', headers }
    const known = (await context?.(request)) as never
    const owners = scope && readCaller(await scope(known), api)
    return { caller: owners, revealed: readRevealed(await reveal?.(known), api) }
  } catch {
    return { caller: undefined, revealed: new Map() }
  }
}

// A caller of one owner need not name it. One of several names the first.
function ownersIn(
  caller: Caller | undefined,
  { owners, resource }: ProvenCollection,
  resources: ReadonlyMap<string, Resource>,
): BodyDraft {
  if (caller === undefined || caller === everything) return {}
  const view = resources.get(resource)?.view
  return Object.fromEntries(
    owners.flatMap((field) => {
      const value = caller[view?.plainOf(field) ?? field]
      return Array.isArray(value) && value.length > 0 ? [[field, value[0]]] : []
    }),
  )
}

/** Returns a registry that reveals every restricted field to every caller. */
export function revealingAll(registry: AnyRegistry): AnyRegistry {
  const stored = [...registry.api.stored.values()]
  const all = stored.flatMap(({ name, restricted }) =>
    restricted.length === 0 ? [] : [[name, restricted] as const],
  )
  return all.length === 0 ? registry : { ...registry, reveal: () => Object.fromEntries(all) }
}
