import type { Api } from '../contract/resource/api.ts'
import type { Resource } from '../contract/resource/resource.ts'
import type { SchemaResult, StandardSchema } from '../contract/schema/schema.ts'
import { validateBy } from '../contract/schema/validate.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { type ContractChange, type FoundChange, type Probe, withoutProbe } from './change.ts'

/**
 * Asks the validators of the new side whether they refuse what is said to break. A break that they
 * do not confirm becomes `depends`, so that no false alarm is printed as breaking.
 */
export async function confirmChanges(
  changes: readonly FoundChange[],
  { resources }: Pick<Api, 'resources'>,
): Promise<readonly ContractChange[]> {
  const confirmed: ContractChange[] = []
  for (const change of changes) {
    const { probe, verdict } = change
    const resource = probe && resources.get(probe.resource)
    const doubt = resource && verdict === 'breaking' ? await doubtOf(probe, resource) : undefined
    const publicChange = withoutProbe(change)
    if (doubt === undefined) confirmed.push(publicChange)
    else confirmed.push({ ...publicChange, verdict: 'depends', because: doubt })
  }
  return confirmed
}

// Returns the reason why a probe proves nothing; `undefined` for a proof.
async function doubtOf(probe: Probe, resource: Resource): Promise<string | undefined> {
  try {
    if (probe.isThrough) return await doubtThrough(probe, resource)
    const schema = resource[probe.body]
    const { value, filled } = probe
    const filledBody = isRecord(value) ? { ...value, ...filled } : value
    for (const body of Object.keys(filled).length === 0 ? [value] : [value, filledBody]) {
      const result = await resultOf(schema, body)
      const isLost = probe.lost !== undefined && lacks(result, probe.lost)
      if (result.issues === undefined && !isLost)
        return 'the new validator takes the body that its JSON Schema refuses'
    }
    return undefined
  } catch (error) {
    return `the new validator fails: ${error instanceof Error ? error.message : error}`
  }
}

// The item source, as the view makes it of the body.
async function doubtThrough(
  { body, value }: Probe,
  resource: Resource,
): Promise<string | undefined> {
  const { view } = resource
  const viewResult = await resultOf(resource[body], value)
  if (view === undefined || viewResult.issues !== undefined)
    return 'the validator of the view refuses the body that its JSON Schema takes'
  const projection = view.make(Object(viewResult.value))
  if (projection.faults !== undefined) return undefined
  const source = await resultOf(view.base[body], projection.item)
  if (source.issues !== undefined) return undefined
  return 'the validator of the source takes the value that its JSON Schema refuses'
}

async function resultOf(schema: StandardSchema, value: unknown): Promise<SchemaResult<unknown>> {
  return await validateBy(schema, structuredClone(value))
}

function lacks(result: SchemaResult<unknown>, [key, ...keys]: readonly string[]): boolean {
  if (result.issues !== undefined || key === undefined) return false
  const value = fieldOf(Object(result.value), key)
  if (value === undefined) return true
  const inner = key === '-' && Array.isArray(result.value) ? result.value : [value]
  return keys.length > 0 && inner.some((element) => lacks({ value: element }, keys))
}
