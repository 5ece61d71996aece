import {
  maxSearchLength,
  type ParameterName,
  type ParameterType,
  parameterNames,
  parameters,
} from '../model/convention.ts'
import type { SortField } from '../model/operation.ts'
import { type ParameterIssue, parameterIssue } from './parameter-issue.ts'
import { readSort } from './sort.ts'

/** The value of a parameter of each type. */
interface Values {
  /** Not blank. */
  readonly text: string
  /** Not empty. */
  readonly fields: readonly SortField[]
  readonly integer: number
  /** Opaque here. */
  readonly cursor: string
}

/** The parameters of a request; `undefined` where the client sent none. */
export type Parameters = {
  readonly [Name in ParameterName]?: Values[(typeof parameters)[Name]['type']] | undefined
}

/** The parameters of a request without any. */
export const noParameters: Parameters = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(
    /* @__PURE__ */ parameterNames.map((name) => [name, undefined]),
  ),
)

/** The parameters that a target takes, its sort fields, and its greatest limit. */
export interface ParameterRules {
  readonly takes: readonly ParameterName[]
  readonly sortable: readonly string[]
  readonly maxLimit: number
}

/** The rules for a query, and the issues found so far. */
export interface Reading {
  readonly rules: ParameterRules
  readonly issues: ParameterIssue[]
}

/**
 * Reads the text of a parameter; `undefined` for a blank text and an empty sort. Adds each fault to
 * the issues.
 */
export function readParameter(name: ParameterName, text: string, reading: Reading): unknown {
  return readers[parameters[name].type](text, name, reading)
}

const readers: {
  readonly [Type in ParameterType]: (
    text: string,
    name: ParameterName,
    reading: Reading,
  ) => Values[Type] | undefined
} = {
  text(text, name, { issues }) {
    if (/\p{Cc}/u.test(text))
      issues.push(parameterIssue('bad_parameter', name, 'holds a control character'))
    else if (text.length > maxSearchLength && [...text].length > maxSearchLength) {
      const message = `is longer than ${maxSearchLength} characters`
      issues.push(parameterIssue('bad_parameter', name, message))
    }
    return /\S/u.test(text) ? text : undefined
  },
  fields(text, _, { rules, issues }) {
    return text === '' ? undefined : readSort(text, rules.sortable, issues)
  },
  integer(text, name, { rules: { maxLimit }, issues }) {
    const value = Number(text)
    // A number has one spelling.
    const isFit = Number.isInteger(value) && value >= 1 && value <= maxLimit && `${value}` === text
    if (!isFit) {
      const message = `is not a whole number from 1 to ${maxLimit}`
      issues.push(parameterIssue('bad_parameter', name, message))
    }
    return value
  },
  cursor: (text) => text,
}
