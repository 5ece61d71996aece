import type { HostRequest } from './http.ts'

// The members that a class of requests can compute.
const names = ['method', 'url', 'headers', 'body', 'signal', 'base', 'source', 'given'] as const

/**
 * Makes the computed members of a request own and enumerable, so that a spread copies them:
 * `{ ...request, headers }` keeps `signal`. A read still computes them. Returns the request itself.
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
