import type { Adapter } from 'nounful'
import { adapterMethods } from '../../src/convention/adapter-methods.ts'

/**
 * Wraps every method of an adapter, as a test does that replaces some of them on purpose: the
 * registry refuses an adapter of the library of which only some reading methods are replaced.
 */
export function byHand(adapter: Adapter<never>): Adapter {
  const methods = adapterMethods.map((name) => [name, adapter[name]?.bind(adapter as never)])
  return { ...adapter, ...Object.fromEntries(methods) }
}
