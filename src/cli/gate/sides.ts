import { existsSync } from 'node:fs'
import type { Json } from '../../contract/schema/schema.ts'
import { isRecord } from '../../convention/value.ts'
import type { Acceptance, Snapshot } from '../../diff/snapshot.ts'
import { isSnapshotLike, parseSnapshot } from '../../diff/snapshot-text.ts'
import { snapshotOf } from '../../diff/take.ts'
import { UsageError } from '../../trial/check/usage-error.ts'
import { isTextName, isYamlName, messageOf, readTextFile } from '../io.ts'
import { apiOf, importOptional, installOf, loadContract } from '../load.ts'
import type { ContractSide, Side } from './compare.ts'
import { parseGitSide, readFromGit } from './git.ts'

/**
 * Reads a side: a snapshot or an OpenAPI document (`contract.json`, `openapi.yaml`,
 * `git:REF:contract.json`), or a module (`registry.ts#name`).
 *
 * @param nounful The version of this package.
 * @throws {UsageError} For a side that is none of these.
 */
export async function readSide(name: string, nounful: string): Promise<Side> {
  const git = parseGitSide(name)
  if (git !== undefined && !isTextName(git.path))
    throw new UsageError(`${name} names no JSON: of a commit, the command reads no modules.`)
  if (git !== undefined) return sideOf(name, await readFromGit(git))
  if (isTextName(name)) return sideOf(name, readTextFile(name))
  return readModule(name, nounful)
}

/** Reads a module, as {@link readSide}. */
export async function readModule(name: string, nounful: string): Promise<ContractSide> {
  const { source, toJsonSchema } = await loadContract(name)
  const snapshot = snapshotOf(source, { nounful, toJsonSchema })
  return { kind: 'contract', name, snapshot, api: apiOf(source) }
}

/** Reads a snapshot of the working copy; `undefined` where there is no such file. */
export function readSnapshotAt(file: string): Snapshot | undefined {
  return existsSync(file) ? snapshotIn(file, readTextFile(file)) : undefined
}

/** Returns the acceptances of a snapshot of the working copy; none where there is no such file. */
export function acceptancesAt(file: string): readonly Acceptance[] {
  return readSnapshotAt(file)?.accepted ?? []
}

async function sideOf(name: string, content: string): Promise<Side> {
  // Some editors begin a file with a byte order mark, which JSON excludes.
  const text = content.replace(/^\uFEFF/, '')
  const isYaml = isYamlName(name)
  const json = isYaml ? await parseYaml(name, text) : jsonOf(text)
  const isDocument = isRecord(json) && ('openapi' in json || 'swagger' in json)
  if (isDocument && !isSnapshotLike(json)) return { kind: 'document', name, document: json }
  if (isYaml) throw new UsageError(`${name} is no OpenAPI document: it has no "openapi".`)
  return { kind: 'contract', name, snapshot: snapshotIn(name, text), api: undefined }
}

// The reader of snapshots says what is wrong in a text that is no JSON.
function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function snapshotIn(name: string, text: string): Snapshot {
  try {
    return parseSnapshot(text)
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${name}: ${error.message}`)
    throw error
  }
}

/**
 * Reads a text of YAML 1.2 as JSON. Only this function loads the parser.
 *
 * @throws {UsageError} For a text that is no YAML, for several documents, and for a value that
 *   contains itself. Without the package `yaml`, says how to install it.
 */
async function parseYaml(name: string, text: string): Promise<Json> {
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
