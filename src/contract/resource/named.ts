import type { Resource } from './resource.ts'

/** Returns the resources that need an adapter, by name: those that are no views, and bases. */
export function storedAmong(
  resources: ReadonlyMap<string, Resource>,
): ReadonlyMap<string, Resource> {
  const stored = new Map<string, Resource>()
  for (const resource of resources.values()) register(resource.base, stored)
  return stored
}

/**
 * Adds a resource by its name.
 *
 * @throws {TypeError} For another resource of the same name.
 */
export function register(resource: Resource, resources: Map<string, Resource>): void {
  const { name } = resource
  const namesake = resources.get(name)
  if (namesake !== undefined && namesake !== resource) {
    const free = freeName(name, resources)
    throw new TypeError(
      `Two resources have the name "${name}": rename one to "${free}". Its path can stay.`,
    )
  }
  resources.set(name, resource)
}

// `people_v3` is taken: `people_v4`.
function freeName(name: string, resources: ReadonlyMap<string, Resource>): string {
  const [, noun = name, version = '1'] = /^(.*)_v(\d+)$/.exec(name) ?? []
  let next = Number(version) + 1
  while (resources.has(`${noun}_v${next}`)) next++
  return `${noun}_v${next}`
}
