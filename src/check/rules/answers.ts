import { type ProblemCode, problems, statuses } from '../../model/convention.ts'
import { isRecord } from '../../model/declared.ts'
import { jsonType, problemType } from '../../wire/body.ts'
import { broken, codeOf } from '../expect.ts'
import type { Rule } from '../rule.ts'
import type { Exchange } from '../sent.ts'

const members = ['type', 'title', 'status', 'detail', 'code', 'message'] as const

/** What goes for every answer that came, whatever it was asked for. They are tried last. */
export const answerRules: readonly Rule[] = [
  everyAnswer(
    'twelve-statuses',
    `Nothing but ${statuses.join(', ')} is ever answered.`,
    (exchange) => {
      const { status } = exchange.answer
      if (!statuses.some((own) => own === status)) broken(exchange, `The answer is ${status}.`)
    },
  ),
  everyAnswer('json-type', `What is answered is ${jsonType}.`, (exchange) => {
    const { status } = exchange.answer
    if (status < 200 || status > 299) return
    const type = typeOf(exchange)
    if (type !== jsonType) broken(exchange, `The content type is ${type || 'missing'}.`)
    if (exchange.sent.method !== 'HEAD' && exchange.answer.json === undefined)
      broken(exchange, 'The body is no JSON.')
  }),
  everyProblem('problem-type', `A problem is ${problemType}.`, (exchange) => {
    const type = typeOf(exchange)
    if (type !== problemType) broken(exchange, `The content type is ${type || 'missing'}.`)
  }),
  everyProblem('problem-members', `A problem has ${members.join(', ')}.`, (exchange) => {
    const { json, status } = exchange.answer
    if (exchange.sent.method === 'HEAD') return
    if (!isRecord(json)) broken(exchange, 'The body is no JSON object.')
    const missing = members.find(
      (name) => typeof json[name] !== (name === 'status' ? 'number' : 'string'),
    )
    if (missing !== undefined) broken(exchange, `The problem has no "${missing}".`)
    if (json.status !== status) broken(exchange, `The problem says status ${json.status}.`)
    if (json.message !== json.detail) broken(exchange, 'The "message" is not the "detail".')
  }),
  everyProblem(
    'problem-code',
    'The code of a problem is one there is, and fits its status.',
    (exchange) => {
      if (exchange.sent.method === 'HEAD') return
      const code = codeOf(exchange.answer.json)
      if (code === undefined) return broken(exchange, 'The problem has no code.')
      if (!isCode(code)) return broken(exchange, `There is no code "${code}".`)
      if (problems[code].status !== exchange.answer.status)
        broken(exchange, `The code "${code}" belongs to ${problems[code].status}.`)
    },
  ),
  everyAnswer(
    'no-server-error',
    'Nothing that a client sends is the fault of the server (5xx).',
    (exchange) => {
      if (exchange.answer.status >= 500)
        broken(exchange, `The answer is ${exchange.answer.status}.`)
    },
  ),
]

function everyAnswer(id: string, words: string, hold: (exchange: Exchange) => void): Rule {
  return {
    id,
    words,
    needs: [],
    run({ log }) {
      for (const exchange of log()) hold(exchange)
    },
  }
}

function everyProblem(id: string, words: string, hold: (exchange: Exchange) => void): Rule {
  return everyAnswer(id, words, (exchange) => {
    if (exchange.answer.status >= 400) hold(exchange)
  })
}

function typeOf({ answer }: Exchange): string {
  return (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function isCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}
