import { type AdapterMethod, passages } from './adapter-methods.ts'

const makers = new WeakMap<object, object>()

/** Marks the methods of an adapter, so that {@link faultOfWrapping} knows them in another one. */
export function asSiblings<Made extends object>(adapter: Made): Made {
  for (const method of Object.values(adapter)) {
    if (typeof method === 'function') makers.set(method, adapter)
  }
  return adapter
}

/** Tells whether {@link asSiblings} marked a method. Such a method needs no `this`. */
export function isSibling(method: object): boolean {
  return makers.has(method)
}

/**
 * Returns the fault of an adapter that has its own `create` or `update` beside a marked method that
 * would go past it; `undefined` for none.
 */
export function faultOfWrapping(
  adapter: Readonly<Partial<Record<AdapterMethod, unknown>>>,
): string | undefined {
  for (const [method, wrapped] of passages) {
    const [other, own] = [adapter[method], adapter[wrapped]]
    if (typeof other !== 'function' || typeof own !== 'function') continue
    const maker = makers.get(other)
    if (maker === undefined || makers.get(own) === maker) continue
    return (
      `has its own "${wrapped}", but the "${method}" of another adapter goes past it: ` +
      `write your own "${method}", or leave it out: ({ ${method}, ...rest }) => rest`
    )
  }
  return undefined
}
