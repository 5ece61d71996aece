import { handle, type Registry } from 'nounful'
import { jsonSchemaOf } from '../../src/contract/schema/json-schema.ts'
import { draftsForSchema } from '../../src/trial/isolation/values.ts'

/** Creates three items of a caller in each collection that takes new ones, parents first. */
export async function seed(
  registry: Registry,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const ids = new Map<string, unknown[]>()
  const collections = registry.api.collections.toSorted(
    (one, other) => one.parameters.length - other.parameters.length,
  )
  for (const { version, path, resource, references } of collections) {
    if (ids.has(path)) continue
    const made: unknown[] = []
    ids.set(path, made)
    let url = `/${version}${path}`
    for (const [template] of path.matchAll(/\/:\w+/g)) {
      const owner = path.slice(0, path.indexOf(template))
      url = url.replace(template, `/${ids.get(owner)?.[0]}`)
    }
    const json = jsonSchemaOf(resource.create, { direction: 'input' })
    for (const [count, word] of ['Ann', 'Bea', 'Cyd'].entries()) {
      for (const draft of draftsForSchema(json)) {
        const body = JSON.parse(JSON.stringify(draft).replaceAll('{n}', word))
        for (const { field, to } of references) {
          const target = collections.find((one) => one.resource.name === to)
          body[field] = ids.get(target?.path ?? '')?.[0]
        }
        for (const field of resource.restricted) delete body[field]
        if ('tenant_id' in body)
          body.tenant_id = `${headers.authorization}_1`.replace('Bearer ', '')
        if (typeof body.id === 'number') body.id += count
        const request = { method: 'POST', url, body: JSON.stringify(body) }
        const type = { 'content-type': 'application/json' }
        const response = await handle({ ...request, headers: { ...type, ...headers } }, registry)
        if (response.status !== 201) continue
        made.push(Object(response.body).id)
        break
      }
    }
  }
}
