import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Case } from './cases.ts'

const run = promisify(execFile)

/** The form of a request to a server. */
export interface Load {
  readonly port: number
  /** The requests, sent in turn. */
  readonly asked: readonly Case[]
  readonly seconds: number
  /** The processor that asks. */
  readonly core: number
}

const connections = 16

/** Checks that wrk is installed: JavaScript on one processor does not keep a server busy. */
export function findWrk(): void {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' })
  } catch (error) {
    // It answers `--version` with code 1.
    if (Reflect.get(Object(error), 'code') !== 'ENOENT') return
    throw new Error('wrk is not installed: apt-get install wrk, on Linux', { cause: error })
  }
}

/** Asks for some seconds over several connections; how many answers came. */
export async function wrk({ port, asked, seconds, core }: Load): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'wrk-'))
  try {
    const script = join(folder, 'ask.lua')
    writeFileSync(script, luaOf(asked))
    const url = `http://127.0.0.1:${port}/`
    const words = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]
    const { stdout } = await run('taskset', ['-c', `${core}`, ...words])
    const [, count] = /^\s*(\d+) requests in/m.exec(stdout) ?? []
    if (count === undefined || /Socket errors/.test(stdout)) throw new Error(`wrk says: ${stdout}`)
    return Number(count)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function luaOf(asked: readonly Case[]): string {
  const requests = asked.map(({ method, path, body }) => {
    const type = body === undefined ? '' : '["Content-Type"] = "application/json"'
    return `wrk.format("${method}", "${path}", {${type}}, ${luaTextOf(body)})`
  })
  return `local requests, last
function init() requests, last = {${requests.join(', ')}}, 0 end
function request()
  last = last % #requests + 1
  return requests[last]
end`
}

function luaTextOf(text: string | undefined): string {
  return text === undefined ? 'nil' : JSON.stringify(text)
}
