// Loads modules by jiti alone, and prints the messages of their errors as JSON. A process of its
// own: jiti compiles src/ a second time, and the coverage of a test would count both as one.
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { toUsageError } from '../../src/cli/load.ts'

const messages: Record<string, string> = {}
for (const path of process.argv.slice(2)) {
  const url = pathToFileURL(path).href
  const error = await createJiti(url, { fsCache: false, interopDefault: false })
    .import(url)
    .catch((thrown: unknown) => thrown)
  messages[path] = toUsageError(path, { error, loader: 'jiti' }).message
}
process.stdout.write(JSON.stringify(messages))
