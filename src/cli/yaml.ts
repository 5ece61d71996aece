import type { Json } from '../contract/schema/schema.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { messageOf } from './load.ts'
import { importOptional, installOf } from './optional.ts'

/**
 * Reads a text of YAML 1.2 as JSON. Only this function loads the parser.
 *
 * @throws {UsageError} For a text that is no YAML, for several documents, and for a value that
 *   contains itself. Without the package `yaml`, says how to install it.
 */
export async function parseYaml(name: string, text: string): Promise<Json> {
  const yaml = await importOptional(() => import('yaml'))
  if (yaml === undefined)
    throw new UsageError(
      `${name} is YAML, and the package "yaml" is not installed: ${installOf('yaml')}`,
    )
  try {
    // A date or an infinite number of YAML 1.1 becomes what JSON makes of it.
    const json = JSON.stringify(yaml.parse(text, { merge: true, logLevel: 'error' }))
    return JSON.parse(json)
  } catch (error) {
    const [line] = messageOf(error).split('\n')
    throw new UsageError(`${name} is no YAML: ${line}`)
  }
}
