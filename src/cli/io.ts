import { readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../trial/check/usage-error.ts'

/** The streams and the exit code of the process. */
export interface CommandIo {
  /** Writes a line to the standard output. */
  readonly print: (text: string) => void
  /** Writes a line to the standard error. */
  readonly warn: (text: string) => void
  /** Shows a line in place of the one before; an empty one removes it. Default: nothing. */
  readonly progress?: ((text: string) => void) | undefined
  /** Sets the exit code. Default 0. */
  readonly setExitCode: (code: number) => void
  /** The version of this package. */
  readonly version: string
}

/** The description of the argument that names a module. */
export const moduleArgument =
  'a JavaScript or TypeScript module with a registry or an API; registry.ts#name picks an ' +
  'export. Default: the one that package.json names, or registry.ts'

/** The description of `--json`. */
export const jsonOption = 'print JSON for other programs'

/** Lists the values of a repeatable option. */
export function append(value: string, values: readonly string[]): readonly string[] {
  return [...values, value]
}

/** Returns the message of an error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Reads a file of text, or says why it cannot be read. */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}.`)
  }
}

/** Writes a file, or says why it cannot be written. */
export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}.`)
  }
}

/** Tells whether a side is a module: no file of a commit, no JSON and no YAML. */
export function isModuleName(name: string): boolean {
  return !name.startsWith('git:') && !isTextName(name)
}

/** Tells whether a name is one of a JSON or YAML file. */
export function isTextName(name: string): boolean {
  return isJsonName(name) || isYamlName(name)
}

/** Tells whether a name is one of a YAML file. */
export function isYamlName(name: string): boolean {
  return /\.ya?ml$/i.test(name)
}

/** Tells whether a name is one of a JSON file. */
export function isJsonName(name: string): boolean {
  return /\.json$/i.test(name)
}
