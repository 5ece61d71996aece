import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openTestFile, type TestFile } from './served-file.ts'

/** Tells how a process runs: `unshare` gives it a mounted file, which no other file can replace. */
export type Mount = 'plain' | 'mounted'

const writer = fileURLToPath(new URL('file-writer.ts', import.meta.url))
const node = [
  process.execPath,
  ...['--disable-warning=ExperimentalWarning', '--conditions=nounful:source', writer],
]
const mounting = ['unshare', '-rm', 'sh', '-c', 'mount --bind "$0" "$0" && exec "$@" "$0"']

/** Tells whether this system lets a process mount a file. */
export async function canMount({ path }: TestFile): Promise<boolean> {
  return (await run([...mounting, path, 'true'])).code === 0
}

/**
 * Writes to a file in a process of its own, and kills it after a random time, of at most 150
 * milliseconds by default. Returns the acknowledged writes.
 */
export async function writeAndKill(
  { path }: TestFile,
  mount: Mount,
  maxTime = 150,
): Promise<Acknowledged> {
  const command = mount === 'plain' ? [...node, path] : [...mounting, path, ...node]
  const { output, errors } = await run(command, Math.random() * maxTime)
  const lines = output.split('\n').slice(0, -1)
  return { writes: lines.map((line) => JSON.parse(line)), errors }
}

interface Write {
  readonly method: string
  readonly item: { readonly id: string; readonly count: number }
}

/** The writes of a process, in their order, and what it printed as an error. */
export interface Acknowledged {
  readonly writes: readonly Write[]
  readonly errors: string
}

/** Lists the acknowledged writes that a file lacks, after it was opened again. */
export async function lostWrites(file: TestFile, { writes }: Acknowledged): Promise<unknown[]> {
  await (await openTestFile(file)).close()
  const { notes } = JSON.parse(readFileSync(file.path, 'utf8'))
  const stored = new Map<string, Write['item']>(notes.map((note: Write['item']) => [note.id, note]))
  const last = new Map(writes.map((write) => [write.item.id, write]))
  return [...last.values()].filter(({ method, item }) => {
    const note = stored.get(item.id)
    if (method === 'DELETE') return note !== undefined
    // The next write of the item may be there too: a later count, or its deletion.
    const isOdd = item.count % 2 === 1
    return note === undefined ? method === 'POST' || isOdd : note.count < item.count
  })
}

function run(command: readonly string[], time?: number) {
  const [program = '', ...args] = command
  const child = spawn(program, args)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    // The time begins with the first write.
    if (output === '' && time !== undefined) setTimeout(() => child.kill('SIGKILL'), time)
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.on('error', () => resolve({ code: null, output, errors }))
    child.on('close', (code) => resolve({ code, output, errors }))
  })
}
