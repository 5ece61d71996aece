import type { Table } from './row.ts'

/** Paths that name nothing, or that are none. */
export const paths: readonly Table[] = [
  {
    name: 'home documents',
    rows: [
      ['GET', '/', '200'],
      ['GET', '/v1', '200'],
      ['GET', '/v1/', '200'],
      ['GET', '/v1?q=ann', '400 unknown_parameter'],
      ['DELETE', '/v1/', '405 method_not_allowed'],
    ],
  },
  {
    name: 'paths of nothing',
    rows: [
      ['GET', '//', '404 unknown_resource'],
      ['GET', '/v1/nowhere', '404 unknown_resource'],
      ['GET', '/v1/employee', '404 unknown_resource'],
      ['GET', '/v1/Employees', '404 unknown_resource'],
      ['GET', '/v1/__proto__', '404 unknown_resource'],
      ['GET', '/v1/employees/constructor', '404 not_found'],
      ['GET', '/v2/employees', '404 unknown_version'],
      ['GET', '/v01/employees', '404 unknown_version'],
      ['GET', '/V1/employees', '404 unknown_resource'],
      ['GET', '/v1//employees', '404 unknown_resource'],
      ['GET', '//v1/employees', '404 unknown_resource'],
      ['GET', '/v1/employees//', '404 unknown_resource'],
      ['GET', '/v1/employees//001', '404 unknown_resource'],
      ['GET', '/v1/employees/001/002', '404 unknown_resource'],
      ['GET', '/v1/companies/first/employees', '404 parent_not_found'],
      ['GET', '/v1/companies/nobody/employees', '404 parent_not_found'],
      ['GET', '/v1/companies/002/employees/001', '404 not_found'],
      ['GET', '/v1/companies/001%2Femployees', '404 not_found'],
      ['GET', '/v1/employees/001%0d%0aX-Injected:%201', '404 not_found'],
      ['GET', `/v1/employees/${'%C3%A9'.repeat(256)}`, '404 not_found'],
      ['GET', '/v1/employees/...', '404 not_found'],
      ['GET', "/v1/employees/!$&'()*+,;=:@-._~", '404 not_found'],
      ['GET', '/v1/employees/%7C%5E%60%7B%7D%22%3C%3E', '404 not_found'],
    ],
  },
  {
    name: 'percent signs',
    rows: [
      ['GET', '/v1/employees/%', '400 bad_percent_encoding'],
      ['GET', '/v1/employees/%zz', '400 bad_percent_encoding'],
      ['GET', '/v1/employees/%C0%AF', '400 bad_percent_encoding'],
      ['GET', '/v1/employees/%ED%A0%80', '400 bad_percent_encoding'],
      ['GET', '/v1/employees/%ff', '400 bad_percent_encoding'],
      ['GET', '/v1/employees/001%00', '400 bad_percent_encoding'],
    ],
  },
  {
    name: 'dot segments',
    rows: [
      ['GET', '/v1/companies/../employees', '400 bad_path'],
      ['GET', '/v1/employees/001/../002', '400 bad_path'],
      ['GET', '/v1/employees/%2e%2e/employees', '400 bad_path'],
      ['GET', '/v1/employees/.', '400 bad_path'],
      ['GET', '/v1/employees/%2E', '400 bad_path'],
    ],
  },
  {
    name: 'dot segments of a DELETE',
    rows: [
      ['DELETE', '/v1/employees/.', '400 bad_path'],
      ['DELETE', '/v1/employees/001/..', '400 bad_path'],
      ['DELETE', '/v1/employees/%2e', '400 bad_path'],
      ['DELETE', '/v1/employees/', '400 bad_path'],
    ],
  },
  {
    name: 'characters outside a target',
    rows: [
      ['GET', '/v1\\employees', '400 bad_path'],
      ['GET', '/v1/employees/\\001', '400 bad_path'],
      ['GET', '/v1/employees/a|b', '404 not_found'],
      ['GET', '/v1/employees/a^b', '404 not_found'],
      ['GET', '/v1/employees/"a"', '404 not_found'],
      ['GET', '/v1/employees/<a>', '404 not_found'],
      ['GET', '/v1/employees/{a}', '404 not_found'],
    ],
  },
  {
    name: 'fragments',
    rows: [['GET', '/v1/employees#first', '400 bad_path']],
  },
  {
    name: 'absolute and asterisk targets',
    rows: [
      ['GET', 'http://other.localhost/v1/employees/001', '200'],
      ['OPTIONS', '*', '200'],
    ],
  },
  {
    name: 'targets that are too long',
    rows: [
      ['GET', `/v1/employees/${'a'.repeat(5000)}`, '400 uri_too_long'],
      ['GET', `/v1/employees?q=${'a'.repeat(5000)}`, '400 uri_too_long'],
    ],
  },
]
