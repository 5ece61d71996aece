import { describe, expect, test } from 'vitest'
import { createProgram } from '../../../src/cli/program.ts'
import { rules } from '../../../src/trial/check/run.ts'
import { type Behavior, startSimpleServer } from './simple-server.ts'

const timeout = 60_000

/** Runs `nounful check` on a server of teams and players. */
async function check(behavior: Behavior, ...more: readonly string[]) {
  const server = await startSimpleServer(behavior)
  let printed = ''
  let code = 0
  const progress: string[] = []
  const program = createProgram({
    print: (text) => {
      printed += `${text}\n`
    },
    warn: () => undefined,
    progress: (text) => void progress.push(text),
    setExitCode: (given) => {
      code = given
    },
    version: '1.0.0',
  })
  const args = ['check', server.url, '--collection', '/teams', ...more]
  await program.parseAsync(args, { from: 'user' }).finally(server.close)
  return { printed, lines: printed.split('\n'), code, progress }
}

// HEAD breaks a rule, and the rest is as usual.
const failing: Behavior = ({ method }) => (method === 'HEAD' ? { status: 500 } : undefined)
const idOf = (line: string) => /^(?:kept|BROKEN|-) +([\w-]+) {2}/.exec(line)?.[1]

describe('the report of a check', { timeout: timeout }, () => {
  test('has one row for each group, and the broken rules', async () => {
    const { lines, code } = await check(failing)
    const rows = lines.filter((line) => /^(?:kept|BROKEN|-) {2,}/.test(line))
    expect(rows.length).toBeLessThan(15)
    expect(rows.every((row) => /\d+ (?:kept|broken|not applicable)/.test(row))).toBe(true)
    const broken = lines.filter((line) => /^BROKEN [\w-]+ {2}/.test(line))
    expect(broken.length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.startsWith('    curl -i'))).not.toEqual([])
    expect(lines).toContain('--all lists every rule.')
    expect(code).toBe(1)
  })

  test('has groups that fit 80 columns', async () => {
    const { lines } = await check(() => undefined)
    const rows = lines.filter((line) => / (?:kept|not applicable)$/.test(line))
    expect(rows.length).toBeGreaterThan(5)
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  test('has every rule with --all', async () => {
    const { lines } = await check(failing, '--all')
    const ids = lines.flatMap((line) => idOf(line) ?? [])
    expect(new Set(ids)).toEqual(new Set(rules.map(({ id }) => id)))
    expect(lines).not.toContain('--all lists every rule.')
  })

  test('counts the same rules either way', async () => {
    const tally = /(\d+) kept, (\d+) broken, (\d+) not applicable; (\d+) requests/
    const [groups, all] = [await check(failing), await check(failing, '--all')]
    expect(tally.exec(groups.printed)?.slice(1)).toEqual(tally.exec(all.printed)?.slice(1))
    const [, ...counts] = tally.exec(all.printed) ?? []
    const sum = counts.slice(0, 3).reduce((total, count) => total + Number(count), 0)
    expect(sum).toBe(rules.length)
  })

  test('has every rule in its JSON', async () => {
    const { printed } = await check(failing, '--json')
    expect(JSON.parse(printed).verdicts).toHaveLength(rules.length)
  })
})

describe('the line of a check', { timeout: timeout }, () => {
  test('names the collection and the requests, and goes', async () => {
    const slow: Behavior = () => new Promise((resolve) => setTimeout(resolve, 2, undefined))
    const { progress } = await check(slow)
    const shown = progress.slice(0, -1)
    expect(shown.length).toBeGreaterThan(1)
    expect(shown.every((text) => /^1\/1 \/teams, \d+ requests$/.test(text))).toBe(true)
    const counts = shown.map((text) => Number(/(\d+) requests/.exec(text)?.[1]))
    expect(counts).toEqual([...counts].sort((one, other) => one - other))
    expect(progress.at(-1)).toBe('')
  })

  test('goes after an error, too', async () => {
    const progress: string[] = []
    const program = createProgram({
      print: () => undefined,
      warn: () => undefined,
      progress: (text) => void progress.push(text),
      setExitCode: () => undefined,
      version: '1.0.0',
    })
    const checking = program.parseAsync(['check', 'http://127.0.0.1:1'], { from: 'user' })
    await expect(checking).rejects.toThrow('No server listens there')
    expect(progress).toEqual([''])
  })
})

/** A server that lets `count` requests through, then refuses each `step`th. */
function limited(count: number, step: number, headers: Record<string, string>): Behavior {
  let requests = 0
  return () => {
    requests++
    const isRefused = requests > count && (requests - count) % step === 0
    const content = Buffer.from('Too many requests')
    return isRefused ? { status: 429, headers, content } : undefined
  }
}

describe('a server that answers 429', { timeout: timeout }, () => {
  const brokenIn = (lines: readonly string[]) =>
    new Set(lines.flatMap((line) => /^BROKEN ([\w-]+) {2}/.exec(line)?.[1] ?? []))

  test('once, with Retry-After, breaks nothing more', async () => {
    let isRefused = false
    const once: Behavior = ({ url }) => {
      if (isRefused || !url.includes('limit=')) return undefined
      isRefused = true
      return { status: 429, headers: { 'retry-after': '1' } }
    }
    const [usual, refused] = [await check(() => undefined), await check(once)]
    expect(isRefused).toBe(true)
    expect(brokenIn(refused.lines)).toEqual(brokenIn(usual.lines))
    expect(refused.code).toBe(usual.code)
  })

  const rows = [
    ['now and then', limited(20, 40, {})],
    ['now and then, as text', limited(9, 50, { 'content-type': 'text/plain' })],
    ['from some request on', limited(30, 1, {})],
    ['with a long Retry-After', limited(30, 1, { 'retry-after': '7200' })],
  ] as const
  test.each(rows)('%s, breaks nothing by that', async (_, behavior) => {
    const [usual, refused] = [await check(() => undefined), await check(behavior)]
    const more = [...brokenIn(refused.lines)].filter((id) => !brokenIn(usual.lines).has(id))
    expect(more).toEqual([])
    expect(refused.printed).not.toContain('(429)')
  })

  test('for good, stops the check, which names what is left', async () => {
    const { printed, code, lines } = await check(limited(8, 1, {}))
    expect(brokenIn(lines)).toEqual(new Set())
    expect(printed).toContain('gives 429: the server allows no more requests.')
    expect(printed).toContain('The rules of these are not all judged: /teams')
    expect(code).toBe(2)
  })
})
