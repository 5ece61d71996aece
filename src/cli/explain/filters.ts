import type { Comparison, Condition } from '../../convention/filter-operators.ts'

/** Returns the items that meet a condition, as a sentence: `age is present and more than 7`. */
export function explainCondition(condition: Condition): string {
  return sentences[condition.is](condition)
}

type Sentence = (condition: Condition) => string

const sentences: { readonly [Is in Comparison]: Sentence } = {
  in: ({ field, values }) =>
    values.length === 0 ? 'no item: the value is no id' : `${field} is ${formatValues(values)}`,
  notIn: ({ field, values }) => `${field} is missing, or not ${formatValues(values)}`,
  inOrMissing: ({ field, values }) => `${field} is missing, or ${formatValues(values)}`,
  missing: ({ field }) => `${field} is missing or null`,
  present: ({ field }) => `${field} is neither missing nor null`,
  gt: rangeSentence('more than', 'after'),
  gte: rangeSentence('at least', 'at or after'),
  lt: rangeSentence('less than', 'before'),
  lte: rangeSentence('at most', 'at or before'),
  contains: textSentence('contains'),
  startsWith: textSentence('starts with'),
  endsWith: textSentence('ends with'),
}

function rangeSentence(ofNumbers: string, ofOthers: string): Sentence {
  return ({ field, values, type }) => {
    const isNumber = type === 'number' || type === 'integer'
    const order = type === 'text' ? ' by code point' : ''
    return `${field} is present and ${isNumber ? ofNumbers : ofOthers} ${formatValues(values)}${order}`
  }
}

function textSentence(verb: string): Sentence {
  return ({ field, values }) => `${field} ${verb} ${formatValues(values)} in any case`
}

function formatValues(values: Condition['values']): string {
  const texts = values.map((value) => JSON.stringify(value))
  const more = texts.length > maxValues ? [`${texts.length - maxValues} more`] : []
  const entries = [...texts.slice(0, maxValues), ...more]
  return entries.length < 2
    ? entries.join('')
    : `${entries.slice(0, -1).join(', ')} or ${entries.at(-1)}`
}

const maxValues = 5
