import { having, json, type Table } from './row.ts'

/** Requests that a server can judge only by their bytes. */
export const framing: readonly Table[] = [
  {
    name: 'unknown methods',
    rows: [
      ['FROBNICATE', '/v1/employees', '405 method_not_allowed'],
      ['get', '/v1/employees', '405 method_not_allowed'],
    ],
  },
  {
    name: 'TRACE',
    rows: [['TRACE', '/v1/employees', '405 method_not_allowed']],
  },
  {
    name: 'CONNECT',
    rows: [['CONNECT', 'any.example:80', '400 bad_path']],
  },
  {
    name: 'contradicting lengths',
    rows: [
      ['POST', '/v1/notes', '400 bad_request', json('{}', ['Content-Length', '3'])],
      ['POST', '/v1/notes', '400 bad_request', json(['{}'], ['Content-Length', '2'])],
      ['POST', '/v1/notes', '400 bad_request', having(['Content-Length', '-1'])],
      ['POST', '/v1/notes', '400 bad_request', having(['Content-Length', '1e1'])],
    ],
  },
  {
    name: 'malformed header fields',
    rows: [
      ['GET', '/v1/employees', '400 bad_request', having(['a b', 'c'])],
      ['GET', '/v1/employees', '400 bad_request', having(['x', 'a\0b'])],
    ],
  },
  {
    name: 'a second Host',
    rows: [['GET', '/v1/employees', '400 bad_host', having(['Host', 'other.example'])]],
  },
  {
    name: 'large heads',
    rows: [['GET', '/v1/employees', '400 headers_too_large', having(['x', 'a'.repeat(70_000)])]],
  },
  {
    name: 'expectations',
    rows: [['GET', '/v1/employees/001', '400 expectation_failed', having(['Expect', '200-ok'])]],
  },
]
