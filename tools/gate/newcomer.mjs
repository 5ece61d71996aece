// What a newcomer has: an empty folder, a Node, a free port.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

export const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/

// npm finds the global npmrc beside the Node that runs it, and with it the way to the registry.
const globalconfig = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' })

export function versionOf(binary) {
  return execFileSync(binary, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
}

/** An empty folder of a name, and an environment where `node` is that binary. */
export function folderFor(parent, binary, name) {
  const bin = join(parent, 'bin')
  const folder = join(parent, name)
  for (const path of [bin, folder]) mkdirSync(path, { recursive: true })
  symlinkSync(binary, join(bin, 'node'))
  const PATH = [bin, process.env.PATH].join(delimiter)
  return {
    folder,
    env: { ...process.env, PATH, npm_config_globalconfig: globalconfig.trim() },
  }
}

/** Kills a process and all that it started. */
export async function stopped(child) {
  const exit = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exit
}

export function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

// `-e`: each line must succeed.
export function run(command, words, options = {}) {
  return execFileSync('sh', ['-ec', [command, ...words].join(' ')], {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

// `…` alone is any number of lines, at the end of a line any rest of it.
const anyLines = '(?:.*\n)*?'

/** Tells whether a text is the shown one. Ids differ, and JSON may stand on several lines. */
export function isAsShown(printed, shown) {
  const text = isJson(shown) ? JSON.stringify(JSON.parse(shown)) : shown
  return new RegExp(`^${text.split('\n').map(patternOf).join('')}$`).test(`${printed}\n`)
}

// `…` alone is any number of lines.
function patternOf(line) {
  if (line === '…') return anyLines
  const isCut = line.endsWith('…')
  const words = (isCut ? line.slice(0, -1) : line).split(uuid).map(escaped).join(uuid.source)
  return `${words}${isCut ? '.*' : ''}\n`
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
