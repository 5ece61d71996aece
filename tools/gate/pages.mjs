// Follows pages of docs/ in empty folders: writes their files, and runs their commands.
// node tools/gate/pages.mjs <path of a node> <page>...
//
// A block of code that begins with `// name.ts` is a file. In the other blocks, a line after `$` is
// a command, and the lines below it are its output. Two things differ: "nounful" is the packed
// tarball, and port 3000 is a free one. Ids differ, too. `…` is the rest of a line, or any lines.
// A server that prints `ann=…` gives the commands after it this variable.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pack } from '../npm.mjs'
import { folderFor, freePort, isAsShown, run, stopped, versionOf } from './newcomer.mjs'

const [binary, ...pages] = process.argv.slice(2)
const isServer = /^(?:node server\.ts|npm run dev)$/
const temp = mkdtempSync(join(tmpdir(), 'pages-'))
try {
  const tarball = pack(temp)
  for (const page of pages) await follow(page, tarball)
} finally {
  rmSync(temp, { recursive: true, force: true })
}

async function follow(page, tarball) {
  const begin = performance.now()
  const place = folderFor(join(temp, basename(page)), resolve(binary), 'start')
  const port = await freePort()
  const local = (text) => text.replaceAll(/\b3000\b/g, String(port))
  const steps = stepsOf(readFileSync(page, 'utf8'))
  let server
  try {
    for (const step of steps) {
      if (step.kind === 'file') {
        writeFileSync(join(place.folder, step.name), local(step.text))
      } else if (isServer.test(step.command)) {
        if (server) await stopped(server)
        server = await started(step.command, local(step.output), { ...place, port })
        Object.assign(place.env, server.variables)
      } else if (step.command.startsWith('cd ')) {
        place.folder = join(place.folder, step.command.slice(3))
      } else {
        judge(step, { place, local, tarball })
      }
    }
  } finally {
    if (server) await stopped(server)
  }
  const commands = steps.filter(({ kind }) => kind === 'command').length
  const seconds = Math.round((performance.now() - begin) / 1000)
  console.log(`Node ${versionOf(binary)}: ${page} holds, ${commands} commands in ${seconds} s`)
}

/** Returns the files and the commands of a page, in their order. */
function stepsOf(text) {
  return [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)].flatMap(([, language, block]) => {
    const [, name] = /^(?:\/\/|#|--) (\S+\.\w+)\n/.exec(block) ?? []
    if (name !== undefined) return [{ kind: 'file', name, text: block }]
    if (language === 'text') return []
    if (language !== '') throw new Error(`A block of ${language} names no file:\n${block}`)
    return commandsOf(block)
  })
}

function commandsOf(block) {
  return block.split(/^\$ /m).flatMap((part) => {
    if (part.trim() === '') return []
    const [, command, output] = /^((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(part) ?? []
    if (command === undefined) throw new Error(`No command: ${part}`)
    return [{ kind: 'command', command, output: output.trim() }]
  })
}

/** Starts a server, and waits until it prints what the page shows. */
async function started(command, shown, { folder, env, port }) {
  const options = { shell: true, detached: true, stdio: ['ignore', 'pipe', 'inherit'] }
  const child = spawn(command, { cwd: folder, env: { ...env, PORT: String(port) }, ...options })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const deadline = Date.now() + 60_000
  while (!isAsShown(printed.trim(), shown)) {
    if (child.exitCode !== null) throw new Error(`"${command}" ended with ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error(`"${command}" printed "${printed}"`)
    await sleep(50)
  }
  const assigned = [...printed.matchAll(/^(\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value])
  return Object.assign(child, { variables: Object.fromEntries(assigned) })
}

function judge({ command, output }, { place: { folder, env }, local, tarball }) {
  const asked = packed(local(command).replace(/^curl /, 'curl -sS '), folder, tarball)
  // A command that fails prints its output as well.
  const printed = run(`{ ${asked}\n} 2>&1 || true`, [], { cwd: folder, env }).trim()
  const isHeard = output === '' && /^(?:npm|mkdir) /.test(command)
  if (isHeard || isAsShown(printed, local(output))) return
  throw new Error(`$ ${command}\nprints ${printed}\nnot    ${output}`)
}

/** Puts the tarball in the place of the package that npm would get. */
function packed(command, folder, tarball) {
  if (command === 'npm install') return `npm install nounful@file:${tarball}`
  if (/^npm (?:install|i) /.test(command))
    return command.replace(/ nounful(?=\s|$)/, ` nounful@file:${tarball}`)
  const isInstalled = existsSync(join(folder, 'node_modules/nounful'))
  return isInstalled ? command : command.replace(/^npx /, `npx --yes -p file:${tarball} `)
}
