import type { HttpRequest, HttpResponse } from 'nounful'
import { expect } from 'vitest'
import { type ProblemCode, statuses } from '../../src/convention/operations.ts'
import { problems } from '../../src/convention/problems.ts'

/** Names of a problem's members. */
const members = new Set(
  'type title status detail code message issues allowed supported request_id'.split(' '),
)

/** Checks the facts of every response. */
export function checkAnswer({ method }: HttpRequest, answer: HttpResponse): void {
  const { status, headers, body } = answer
  expect(statuses).toContain(status)
  for (const [name, line] of Object.entries(headers))
    expect(`${name}: ${line}`).toMatch(/^[a-z-]+: [!-~](?:[ -~]*[!-~])?$/)
  if (method === 'HEAD') expect(body).toBeUndefined()
  else expect(JSON.parse(JSON.stringify(body))).toEqual(body)
  expect('allow' in headers).toBe(status === 405 || (method === 'OPTIONS' && status === 200))
  expect('www-authenticate' in headers).toBe(status === 401)
  expect('retry-after' in headers).toBe(status === 429 || status === 503)
  expect('location' in headers).toBe(status === 201 && !Array.isArray(body))
  expect(headers['content-type']).toBe(
    status < 400 ? 'application/json' : 'application/problem+json',
  )
  if (status >= 400 && method !== 'HEAD') checkProblem(answer)
}

function checkProblem({ status, body }: HttpResponse): void {
  const { code, message, issues, ...rest } = Object(body)
  expect(Object.keys(Object(body)).filter((name) => !members.has(name))).toEqual([])
  expect(Object.keys(problems)).toContain(code)
  const { title, status: own } = problems[code as ProblemCode]
  expect({ status, title }).toEqual({ status: own, title })
  expect(rest).toMatchObject({ type: 'about:blank', title, status, detail: message })
  expect(message).toEqual(expect.stringMatching(/\S/))
  expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThanOrEqual(65_536)
  if (issues === undefined) return
  expect(issues.length).toBeGreaterThan(0)
  expect(issues.length).toBeLessThanOrEqual(50)
  for (const issue of issues) {
    expect(typeof issue.message).toBe('string')
    expect(typeof issue.code).toBe('string')
    expect('pointer' in issue).not.toBe('parameter' in issue)
    expect(issue.pointer ?? '').toMatch(/^(?:$|\/)/)
  }
}
