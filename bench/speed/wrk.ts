import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Case } from './contenders.ts'

const run = promisify(execFile)

/** Requests to a server, sent in turn. */
interface Load {
  readonly port: number
  readonly requests: readonly Case[]
  readonly seconds: number
  readonly connections: number
}

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

/** Sends requests from the first processor; returns the number of answers. */
export async function wrk({ port, requests, seconds, connections }: Load): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'wrk-'))
  try {
    const script = join(folder, 'ask.lua')
    writeFileSync(script, luaOf(requests))
    const url = `http://127.0.0.1:${port}/`
    const words = [
      '-c',
      '0',
      'wrk',
      '-t1',
      `-c${connections}`,
      '--timeout=30s',
      `-d${seconds}s`,
      '-s',
      script,
      url,
    ]
    const { stdout } = await run('taskset', words)
    const [, count] = /^\s*(\d+) requests in/m.exec(stdout) ?? []
    if (count === undefined || /Socket errors/.test(stdout)) throw new Error(`wrk says: ${stdout}`)
    return Number(count)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function luaOf(requests: readonly Case[]): string {
  const calls = requests.map(({ method, path, body }) => {
    const type = body === undefined ? '' : '["Content-Type"] = "application/json"'
    const text = body === undefined ? 'nil' : JSON.stringify(body)
    return `wrk.format("${method}", "${path}", {${type}}, ${text})`
  })
  return `local requests, last
function init() requests, last = {${calls.join(', ')}}, 0 end
function request()
  last = last % #requests + 1
  return requests[last]
end`
}
