import { pluralize, singularize } from 'inflection'
import { reservedWords } from './operations.ts'

// biome-ignore format: one list
const verbs = [
  'get', 'fetch', 'find', 'create', 'insert', 'add', 'update', 'edit',
  'modify', 'save', 'delete', 'remove', 'destroy', 'do', 'make',
]
// The deeds that an item goes through, with the nouns that record them.
const deeds: ReadonlyMap<string | undefined, string> = /* @__PURE__ */ new Map([
  ['publish', 'publications'],
  ['approve', 'approvals'],
  ['reject', 'rejections'],
  ['cancel', 'cancellations'],
  ['activate', 'activations'],
  ['confirm', 'confirmations'],
  ['submit', 'submissions'],
  ['register', 'registrations'],
  ['subscribe', 'subscriptions'],
  ['pay', 'payments'],
  ['login', 'sessions'],
])
const writable = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*$/
const verbPattern = [...verbs, ...deeds.keys()].join('|')
const startsWithVerb = new RegExp(`^(${verbPattern})(?:[-_]|(?=[A-Z])|$)(.*)$`)

/**
 * Returns the fault of a collection's name, with its remedy; `undefined` for a plural English noun
 * of letters, digits, `-` and `_`.
 *
 * @param plural The declaration says so: `staff`, `equipment`.
 * @see docs/requests.md, C1.2
 */
export function faultOfNoun(noun: string, plural: boolean): string | undefined {
  if (!writable.test(noun)) {
    return 'cannot be written in a path: use letters, digits, "-" and "_", starting with a letter'
  }
  if (/^v\d+$/.test(noun)) return 'looks like a version: use a noun'
  if (reservedWords.some((word) => word === noun)) {
    return `is a reserved word (${reservedWords.join(', ')}): use another noun`
  }
  const verb = startsWithVerb.exec(noun)
  if (verb) {
    const deed = deeds.get(verb[1])
    const remedy = deed === undefined ? example(verb[2]) : `"${deed}"`
    return `starts with a verb ("${verb[1]}"): the method is the verb, write ${remedy}`
  }
  if (plural || isPlural(noun)) return undefined
  const usual = pluralNounOf(noun)
  return `is not a plural noun: write "${usual}", or declare "plural: true" if it is one`
}

/**
 * Returns the fault of a resource's name, likewise. `employees_v2` is the employees of another
 * version.
 */
export function faultOfName(name: string, plural: boolean): string | undefined {
  const noun = name.replace(/[-_]v\d+$/, '')
  const words = noun.split(/[-_]/)
  const place = words.findIndex(isPlural)
  const rest = words.slice(place + 1).filter((word) => !/^v\d+$/.test(word))
  if (plural || place < 0 || rest.length === 0 || isPlural(noun)) return faultOfNoun(noun, plural)
  const moved = [...rest, ...words.slice(0, place + 1)].join('_')
  return (
    `does not end with its plural noun: write "${moved}". Only a version may follow the noun, ` +
    `as in "${words[place]}_v2"`
  )
}

/** Returns the conventional owner field of items below a noun: `companies` → `company_id`. */
export function ownerFieldOf(noun: string): string {
  return `${singularNounOf(noun).replaceAll('-', '_')}_id`
}

/** Returns the singular of a noun: `order-items` → `order-item`. */
export function singularNounOf(noun: string): string {
  const word = lastWord(noun)
  return noun.slice(0, noun.length - word.length + 1) + singularize(word).slice(1)
}

function example(rest: string | undefined): string {
  return rest ? `"${pluralNounOf(rest.charAt(0).toLowerCase() + rest.slice(1))}"` : 'a plural noun'
}

function isPlural(noun: string): boolean {
  const word = lastWord(noun)
  // A word that is its own singular (`series`, `equipment`) needs the declaration.
  return pluralize(word) === word && singularize(word) !== word
}

/** Returns the plural of a noun: `order-item` → `order-items`. */
export function pluralNounOf(noun: string): string {
  const word = lastWord(noun)
  // The first letter keeps its case: `orderItem` → `orderItems`.
  return noun.slice(0, noun.length - word.length + 1) + pluralize(word).slice(1)
}

// The last word of a compound: `orderItems`, `order-items` and `order_items` → `items`.
function lastWord(noun: string): string {
  return noun.slice(noun.search(/[A-Z]?[a-z0-9]+$|[A-Z0-9]+$/)).toLowerCase()
}
