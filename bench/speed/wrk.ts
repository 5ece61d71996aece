import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Case } from './cases.ts'

const run = promisify(execFile)

/** How a server is asked. */
export interface Load {
  readonly port: number
  readonly asked: Case
  readonly seconds: number
  /** The processor that asks. */
  readonly core: number
}

const connections = 16

/** Makes sure that wrk is there: what is written in JavaScript does not keep a server busy from one processor. */
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
    const url = `http://127.0.0.1:${port}${asked.path}`
    const words = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]
    const { stdout } = await run('taskset', ['-c', `${core}`, ...words])
    const [, count] = /^\s*(\d+) requests in/m.exec(stdout) ?? []
    if (count === undefined || /Socket errors/.test(stdout)) throw new Error(`wrk says: ${stdout}`)
    return Number(count)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function luaOf({ method, body }: Case): string {
  const lines = [`wrk.method = ${JSON.stringify(method)}`]
  if (body !== undefined) {
    lines.push(
      `wrk.body = ${JSON.stringify(body)}`,
      'wrk.headers["Content-Type"] = "application/json"',
    )
  }
  return lines.join('\n')
}
