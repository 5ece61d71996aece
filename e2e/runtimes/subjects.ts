import { binaries, type Runtime } from './binaries.ts'

/** How the service is served. */
type Door =
  | 'toNodeListener'
  | 'serve'
  | 'toFetchHandler, srvx'
  | 'toFetchHandler, Bun.serve'
  | 'toFetchHandler, deno serve'
  | 'toFetchHandler, a Worker'
  | 'toFetchHandler, a Worker with flags'

/** The service on a runtime, through a door, with its data somewhere. */
export interface Subject {
  readonly runtime: Runtime
  readonly door: Door
  readonly storage: 'memory' | 'node:sqlite' | 'D1'
  /** The command that starts it in the consumer's folder. */
  readonly command: readonly [string, ...string[]]
}

const programs = 'e2e/runtimes/programs'

function onNode(runtime: 'node20' | 'node22' | 'node24' | 'node26'): readonly Subject[] {
  const node = binaries[runtime]
  const storage = 'memory'
  return [
    { runtime, door: 'serve', storage, command: [node, `${programs}/serve.js`] },
    { runtime, door: 'toNodeListener', storage, command: [node, `${programs}/listener.js`] },
    { runtime, door: 'toFetchHandler, srvx', storage, command: [node, `${programs}/srvx.js`] },
  ]
}

const { bun, deno, node22, node24, node26 } = binaries
const allowed = ['--allow-net=127.0.0.1', '--allow-env', '--allow-read=.']
const denoServe = [...allowed, '--host', '127.0.0.1', '--port', '0', `${programs}/deno.js`]
const workerd = new URL('workerd.ts', import.meta.url).pathname

const others: readonly Subject[] = [
  {
    runtime: 'bun',
    door: 'toFetchHandler, Bun.serve',
    storage: 'memory',
    command: [bun, `${programs}/bun.js`],
  },
  {
    runtime: 'bun',
    door: 'toNodeListener',
    storage: 'memory',
    command: [bun, `${programs}/listener.js`],
  },
  { runtime: 'bun', door: 'serve', storage: 'memory', command: [bun, `${programs}/serve.js`] },
  {
    runtime: 'deno',
    door: 'toFetchHandler, deno serve',
    storage: 'memory',
    command: [deno, 'serve', ...denoServe],
  },
  {
    runtime: 'deno',
    door: 'toNodeListener',
    storage: 'memory',
    command: [deno, 'run', ...allowed, `${programs}/listener.js`],
  },
  {
    runtime: 'deno',
    door: 'serve',
    storage: 'memory',
    command: [deno, 'run', ...allowed, `${programs}/serve.js`],
  },
  {
    runtime: 'workerd',
    door: 'toFetchHandler, a Worker',
    storage: 'memory',
    command: [process.execPath, workerd, 'worker.js'],
  },
  {
    runtime: 'workerd',
    door: 'toFetchHandler, a Worker with flags',
    storage: 'memory',
    command: [process.execPath, workerd, 'worker.js', 'nodejs_compat', 'enable_request_signal'],
  },
]

const stored: readonly Subject[] = [
  ...(
    [
      ['node22', node22],
      ['node24', node24],
      ['node26', node26],
    ] as const
  ).map(
    ([runtime, node]): Subject => ({
      runtime,
      door: 'serve',
      storage: 'node:sqlite',
      command: [node, `${programs}/serve.js`],
    }),
  ),
  {
    runtime: 'bun',
    door: 'toFetchHandler, Bun.serve',
    storage: 'node:sqlite',
    command: [bun, `${programs}/bun.js`],
  },
  {
    runtime: 'deno',
    door: 'toFetchHandler, deno serve',
    storage: 'node:sqlite',
    command: [deno, 'serve', ...denoServe],
  },
  {
    runtime: 'workerd',
    door: 'toFetchHandler, a Worker',
    storage: 'D1',
    command: [process.execPath, workerd, 'worker-d1.js'],
  },
]

/** The references of all subjects: nothing stands between the bytes and the library there. */
export const references = {
  memory: {
    runtime: 'node24',
    door: 'serve',
    storage: 'memory',
    command: [node24, `${programs}/serve.js`],
  },
  stored: {
    runtime: 'node24',
    door: 'serve',
    storage: 'node:sqlite',
    command: [node24, `${programs}/serve.js`],
  },
} as const satisfies Readonly<Record<string, Subject>>

/** Everything the service is run on. */
export const subjects: readonly Subject[] = [
  ...onNode('node20'),
  ...onNode('node22'),
  ...onNode('node24'),
  ...onNode('node26'),
  ...others,
  ...stored,
]
