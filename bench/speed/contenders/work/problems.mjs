/** The problems of the convention: the same for all contenders. */

function problem(status, [code, title], detail, members) {
  return { type: 'about:blank', title, status, detail, code, message: detail, ...members }
}

const absent = problem(404, ['not_found', 'Not found'], 'There is no such item')
const orphan = problem(
  404,
  ['parent_not_found', 'Parent not found'],
  'The path leads through an item that is not there',
)

export const notFound = () => absent
export const parentNotFound = () => orphan

/** The noun is the first of a path's that there is not: `/v1/nowhere/7`. */
export function unknownResource(url) {
  const end = url.indexOf('/', 4)
  const noun = end < 0 ? url.slice(4) : url.slice(4, end)
  return problem(
    404,
    ['unknown_resource', 'Unknown resource'],
    `No resource ${JSON.stringify(noun)}. Resources here: companies, employees.`,
  )
}

export function methodNotAllowed(method, allow) {
  return problem(
    405,
    ['method_not_allowed', 'Method not allowed'],
    `"${method}" is not allowed here: use ${allow}.`,
  )
}

export function badParameter(parameter) {
  const message = 'is not a value that it can have'
  const issues = [{ parameter, code: 'bad_parameter', message }]
  return problem(400, ['bad_parameter', 'Bad parameter'], `${parameter}: ${message}`, { issues })
}

export function badBody() {
  return problem(400, ['json_invalid', 'Invalid JSON'], 'The body is not JSON')
}

export function invalid(faults) {
  const issues = faults.map(({ field, message }) => ({
    pointer: `/${field}`,
    code: 'invalid',
    message,
  }))
  const told = faults.slice(0, 3).map(({ field, message }) => `${field}: ${message}`)
  const rest = faults.length - told.length
  const detail = told.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
  return problem(422, ['validation_failed', 'Validation failed'], detail, { issues })
}
