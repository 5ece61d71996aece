import type { HostRequest } from './http.ts'

// Each member of a request that a class may compute.
const names = ['method', 'url', 'headers', 'body', 'signal', 'base', 'source', 'given'] as const

/**
 * Makes the members of a request that its class computes own and enumerable, so that a spread copies them:
 * `{ ...request, headers }` keeps `signal`. They are still computed when they are read. Gives the request itself.
 */
export function withOwnMembers<Asked extends object>(request: Asked): Asked {
  const prototype: object | null = Object.getPrototypeOf(request)
  if (prototype === null || prototype === Object.prototype) return request
  for (const [name, getter] of gettersOf(prototype)) {
    // A frozen request stays as it is.
    if (!Object.hasOwn(request, name)) Reflect.defineProperty(request, name, getter)
  }
  return request
}

type Getter = readonly [name: keyof HostRequest<unknown>, descriptor: PropertyDescriptor]

const known = new WeakMap<object, readonly Getter[]>()

function gettersOf(prototype: object): readonly Getter[] {
  const found = known.get(prototype)
  if (found) return found
  const getters = names.flatMap((name): Getter[] => {
    const member = Object.getOwnPropertyDescriptor(prototype, name)
    return member?.get ? [[name, { ...member, enumerable: true }]] : []
  })
  known.set(prototype, getters)
  return getters
}
