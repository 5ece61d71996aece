import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Compiles files as this project is, and returns what is wrong with them, empty if nothing is. In
 * a process of its own: coverage, which counts the compiler too, takes three times as long.
 *
 * @param folder Of `test/.snippets`, for the configuration.
 */
export function faultsOf(files: readonly string[], folder: string): Promise<string> {
  const place = `${root}test/.snippets/${folder}`
  const config = { extends: `${root}tsconfig.json`, files, include: [], exclude: [] }
  mkdirSync(place, { recursive: true })
  writeFileSync(`${place}/tsconfig.json`, JSON.stringify(config))
  const words = [`${root}node_modules/typescript/bin/tsc`, '--pretty', 'false', '-p', place]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { cwd: root }, (error, out, problems) => {
      // The compiler writes faults to its output. Anything else is a failure of the compiler.
      if (error !== null && out === '') reject(new Error(problems, { cause: error }))
      else resolve(out)
    })
  })
}
