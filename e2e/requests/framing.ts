import { having, json, type Table } from './row.ts'

/** What a server has to see in the bytes themselves. */
export const framing: readonly Table[] = [
  {
    name: 'methods that are none',
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
    name: 'lengths that contradict',
    rows: [
      ['POST', '/v1/notes', '400 bad_request', json('{}', ['Content-Length', '3'])],
      ['POST', '/v1/notes', '400 bad_request', json(['{}'], ['Content-Length', '2'])],
      ['POST', '/v1/notes', '400 bad_request', having(['Content-Length', '-1'])],
      ['POST', '/v1/notes', '400 bad_request', having(['Content-Length', '1e1'])],
    ],
  },
  {
    name: 'fields that are none',
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
    name: 'heads that are too large',
    rows: [['GET', '/v1/employees', '400 headers_too_large', having(['x', 'a'.repeat(70_000)])]],
  },
  {
    name: 'expectations',
    rows: [['GET', '/v1/employees/001', '400 expectation_failed', having(['Expect', '200-ok'])]],
  },
]
