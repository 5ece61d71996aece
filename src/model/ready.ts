import type { Api } from './api.ts'
import type { Binding } from './binding.ts'

/**
 * Lets every adapter check its storage, and waits for all of them.
 *
 * @throws {AggregateError} With every misfit, in a line of the message and among its `errors`.
 */
export async function checkReady(api: Api, bindings: readonly Binding[]): Promise<void> {
  const checks = [...api.resources].map(async ([name, resource]) => {
    const mounts = api.collections.filter((mount) => mount.resource === resource)
    const place = api.collections.findIndex((mount) => mount.resource === resource)
    const adapter = bindings[place]?.adapter
    try {
      await adapter?.ready?.(resource, mounts)
      return []
    } catch (error) {
      return [{ error, told: `${name}: ${error instanceof Error ? error.message : error}` }]
    }
  })
  const faults = (await Promise.all(checks)).flat()
  if (faults.length === 0) return
  throw new AggregateError(
    faults.map(({ error }) => error),
    `The storage does not fit the contract:\n${faults.map(({ told }) => told).join('\n')}`,
  )
}
