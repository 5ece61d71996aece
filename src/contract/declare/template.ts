import { parse } from 'path-to-regexp'
import { ownerFieldOf } from '../../convention/noun.ts'

const example = '/companies/:company_id/employees'

/** The parts of a path template, outermost first. */
export interface Template {
  readonly nouns: readonly string[]
  /** One fewer than nouns. */
  readonly parameters: readonly string[]
}

/**
 * Reads a path template: nouns and parameters in turn, beginning and ending with a noun.
 *
 * @throws {TypeError} For any other path; the message says what to write instead.
 */
export function readTemplate(path: string): Template {
  const nouns: string[] = []
  const parameters: string[] = []
  for (const token of tokensOf(path)) {
    if (token.type === 'param') parameters.push(token.name)
    else if (token.type === 'text') {
      const noun = /^\/([^/]+)\/?$/.exec(token.value)?.[1]
      if (noun !== undefined) nouns.push(noun)
    }
  }
  const written = nouns.map(
    (noun, place) => `/${noun}${parameters[place] === undefined ? '' : `/:${parameters[place]}`}`,
  )
  if (written.join('') !== path || nouns.length !== parameters.length + 1) {
    throw new TypeError(
      `Path "${path}" does not alternate nouns and parameters: write it like "${example}".`,
    )
  }
  const repeated = parameters.find((name, place) => parameters.indexOf(name) !== place)
  if (repeated !== undefined) {
    throw new TypeError(
      `Path "${path}" names ":${repeated}" twice: each parameter is a field of its own.`,
    )
  }
  // An item's own id names no owner, and objects lose `__proto__`.
  const place = parameters.findIndex((name) => name === 'id' || name === '__proto__')
  if (place >= 0) {
    const name = parameters[place]
    const owned = path.replace(`/:${name}/`, `/:${ownerFieldOf(`${nouns[place]}`)}/`)
    const fault =
      name === 'id'
        ? 'has to name the field that owns'
        : `names ":${name}", a field that objects lose`
    throw new TypeError(`Path "${path}" ${fault}: write "${owned}".`)
  }
  return { nouns, parameters }
}

function tokensOf(path: string): ReturnType<typeof parse>['tokens'] {
  try {
    return parse(path).tokens
  } catch (error) {
    throw new TypeError(
      `Path "${path}" is no template of path-to-regexp (${error}): write it like "${example}".`,
      { cause: error },
    )
  }
}
