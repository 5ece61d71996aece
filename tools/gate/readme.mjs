// Follows the quick start of README.md in an empty folder, with its commands, files and responses.
// node tools/gate/readme.mjs <path of a node>...: each of them follows it once. Two things differ:
// "nounful" is the packed tarball (`nounful@file:…`), and port 3000 is a free one.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pack } from '../npm.mjs'
import { escaped, folderFor, freePort, run, stopped, uuid, versionOf } from './newcomer.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const heading = '## Quick start'
const shownPort = '3000'
// From here on Node runs TypeScript by itself.
const stripping = '22.18.0'

const temp = mkdtempSync(join(tmpdir(), 'readme-'))
try {
  const steps = stepsOf(readFileSync(join(root, 'README.md'), 'utf8'))
  const tarball = pack(temp)
  // The machine's Node may be one of the others.
  const binaries = new Map(process.argv.slice(2).map((path) => [versionOf(path), resolve(path)]))
  for (const [version, binary] of binaries) {
    await follow(steps, { version, binary }, tarball)
  }
} finally {
  rmSync(temp, { recursive: true, force: true })
}

/** Returns the quick start: commands, the file, and requests with the shown responses. */
function stepsOf(page) {
  const section = page.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
  const order = blocks.map(([, language]) => language).join(' ')
  if (!/^sh ts sh( sh json)+$/.test(order))
    throw new Error(`"${heading}" has other blocks: ${order}`)
  const [install, file, start, ...exchanges] = blocks.map(([, , text]) => text)
  const [shorter, general] = start
    .trim()
    .split('\n')
    .map((line) => line.replace(/ *#.*$/, ''))
  const pairs = []
  for (let index = 0; index < exchanges.length; index += 2) {
    pairs.push(...pairsOf(exchanges[index], exchanges[index + 1]))
  }
  return { install, file, starts: { shorter, general }, pairs }
}

/** Pairs commands with responses: one JSON text, or one on each line. */
function pairsOf(ask, answers) {
  const commands = ask.trim().split('\n')
  const shown = commands.length === 1 ? [answers] : answers.trim().split('\n')
  if (commands.length !== shown.length) throw new Error('README.md shows no response per command')
  return commands.map((command, index) => [command, JSON.stringify(JSON.parse(shown[index]))])
}

async function follow({ install, file, starts, pairs }, { version, binary }, tarball) {
  const { folder, env } = folderFor(join(temp, version), binary, 'notes')
  run(install.replace(/ nounful(?= )/, ` nounful@file:${tarball}`), [], { cwd: folder, env })
  const port = await freePort()
  const [, name] = /^\/\/ (\S+)/.exec(file)
  writeFileSync(join(folder, name), file.replace(`port: ${shownPort}`, `port: ${port}`))
  const { shorter, general } = starts
  const isStripping = version.localeCompare(stripping, 'en', { numeric: true }) >= 0
  for (const command of isStripping ? [shorter, general] : [general]) {
    const server = await started(command, { folder, env, port })
    try {
      for (const [ask, shown] of pairs) judge(ask.replace(`:${shownPort}/`, `:${port}/`), shown)
      judgeStart(port)
      // Node runs the module of the command by itself, or jiti has to.
      if (isStripping) judgeRoutes(name, { cwd: folder, env })
    } finally {
      await stopped(server)
    }
    console.log(`Node ${version}: the quick start responds as README.md shows, with "${command}"`)
  }
}

/** Starts the server and waits until it says where it is. */
async function started(command, { folder, env, port }) {
  // A process group of its own, so that nothing of it stays.
  const child = spawn(command, {
    cwd: folder,
    env,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const deadline = Date.now() + 60_000
  while (said !== `http://127.0.0.1:${port}\n`) {
    if (child.exitCode !== null) throw new Error(`"${command}" ended with ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error(`"${command}" printed "${said}"`)
    await sleep(50)
  }
  return child
}

function judge(command, shown) {
  const response = run(command.replace(/^curl /, 'curl -sS '), [])
  // Each server makes ids of its own.
  const parts = shown.split(uuid).map(escaped)
  if (new RegExp(`^${parts.join(uuid.source)}$`).test(response)) return
  throw new Error(`${command}\nresponds ${response}\nnot      ${shown}`)
}

// A browser gets a page, a program the home document.
function judgeStart(port) {
  const url = `http://127.0.0.1:${port}/`
  const page = run(`curl -sS -H 'accept: text/html' ${url}`, [])
  const home = run(`curl -sS ${url}`, [])
  if (page.startsWith('<!doctype html>') && home.startsWith('{"versions":[{"name":"v1",')) return
  throw new Error(`${url} is no start page and no home document:\n${page}\n${home}`)
}

// Beside the running server, whose port is taken.
function judgeRoutes(name, options) {
  const routes = run(`npx nounful routes ${name}`, [], options)
  if (!routes.includes('/v1/notes')) throw new Error(`The routes of ${name} are ${routes}`)
}
