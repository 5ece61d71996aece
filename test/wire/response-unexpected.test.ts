import { describe, expect, test } from 'vitest'
import { isUnexpected, UnexpectedResponse } from '../../src/wire/response.ts'

const headers = { 'content-type': 'text/html' }

describe('an unexpected response keeps all that came', () => {
  test('its text as it was', () => {
    const text = `<h1>${'x'.repeat(1000)}`
    const error = new UnexpectedResponse({ status: 502, headers, body: text, text })
    expect(error).toMatchObject({ name: 'UnexpectedResponse', status: 502, headers, body: text })
    expect(error.message).toMatch(/502 <h1>x{76}$/)
    expect(error.stack).toMatch('unexpected.test')
  })

  test('a value as JSON', () => {
    expect(new UnexpectedResponse({ status: 200, headers, body: [1] }).body).toBe('[1]')
    expect(new UnexpectedResponse({ status: 200, headers, body: undefined }).body).toBe('')
  })

  test('and is told from other errors', () => {
    expect(isUnexpected(new UnexpectedResponse({ status: 200, headers, body: '' }))).toBe(true)
    const copy = Object.assign(new Error('x'), { [Symbol.for('nounful.unexpected')]: true })
    expect(isUnexpected(copy)).toBe(true)
    for (const other of [new Error('x'), null, undefined, 'x', {}, 1]) {
      expect(isUnexpected(other)).toBe(false)
    }
  })
})
