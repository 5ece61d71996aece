import { statuses } from '../../../convention/operations.ts'
import { isCode } from '../../../convention/problem.ts'
import { problems } from '../../../convention/problems.ts'
import { isRecord } from '../../../convention/value.ts'
import { jsonType, problemType } from '../../../wire/body.ts'
import { codeOf, fail } from '../expect.ts'
import { type CheckResponse, isSuccess } from '../message.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

const members = ['type', 'title', 'status', 'detail', 'code', 'message'] as const

/** Rules about every response. They run last. */
export const responseRules = defineRules([], {
  'twelve-statuses': responseRule(
    `Every response has one of the statuses ${statuses.join(', ')}.`,
    (response) => {
      const { status } = response
      if (!statuses.some((own) => own === status)) fail(response, `The response is ${status}.`)
    },
  ),
  'json-type': responseRule(`A successful response is ${jsonType}.`, (response) => {
    if (!isSuccess(response)) return
    expectType(response, jsonType)
    if (response.request.method !== 'HEAD' && response.json === undefined)
      fail(response, 'The body is no JSON.')
  }),
  'problem-type': errorRule(`A problem is ${problemType}.`, (response) => {
    expectType(response, problemType)
  }),
  'problem-members': errorRule(`A problem has ${members.join(', ')}.`, (response) => {
    const { json, status, request } = response
    if (request.method === 'HEAD') return
    if (!isRecord(json)) fail(response, 'The body is no JSON object.')
    const missing = members.find(
      (name) => typeof json[name] !== (name === 'status' ? 'number' : 'string'),
    )
    if (missing !== undefined) fail(response, `The problem has no "${missing}".`)
    if (json.status !== status) fail(response, `The problem has the status ${json.status}.`)
    if (json.message !== json.detail) fail(response, '"message" differs from "detail".')
  }),
  'problem-code': errorRule('A problem has a known code that fits its status.', (response) => {
    if (response.request.method === 'HEAD') return
    const code = codeOf(response.json)
    if (code === undefined) return fail(response, 'The problem has no code.')
    if (!isCode(code)) return fail(response, `The code "${code}" is unknown.`)
    const { status } = problems[code]
    if (status !== response.status) fail(response, `The code "${code}" belongs to ${status}.`)
  }),
  'no-server-error': responseRule('No request causes a server error (5xx).', (response) => {
    if (response.status >= 500) fail(response, `The response is ${response.status}.`)
  }),
})

function responseRule(text: string, check: (response: CheckResponse) => void): UnnamedRule {
  return {
    text,
    run({ log }) {
      // A layer before the server may limit requests, in a form of its own.
      for (const response of log()) if (response.status !== 429) check(response)
    },
  }
}

function errorRule(text: string, check: (response: CheckResponse) => void): UnnamedRule {
  return responseRule(text, (response) => {
    if (response.status >= 400) check(response)
  })
}

function expectType(response: CheckResponse, expected: string): void {
  const [type = ''] = (response.headers['content-type'] ?? '').split(';')
  const found = type.trim().toLowerCase()
  if (found !== expected) fail(response, `The content type is ${found || 'missing'}.`)
}
