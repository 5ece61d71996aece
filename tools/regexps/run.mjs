// Checks every regular expression of src/ with recheck: none may take more than linear time. Needs
// `npm ci` here and at the root.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import ts from '../../node_modules/typescript/lib/typescript.js'

// The part for browsers does all in JavaScript, at once, without Java and without another process.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js')
const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** Expressions that are not linear, and why that is harmless: no stranger gives them long texts. */
const accepted = new Map([
  ['convention/noun.ts RegExp', 'a list of constants'],
  ['convention/noun.ts /[A-Z]?[a-z0-9]+$|[A-Z0-9]+$/', 'names that the developer writes'],
  ['client/options.ts /\\/+$/', 'the url that the developer writes'],
  [
    'wire/body.ts /;[ \\t]*(?:([\\w!#$%&\'*+.^`|~-]+)=([\\w!#$%&\'*+.^`|~-]+|"(?:[^"\\\\]|\\\\.)*"))?[ \\t]*/y',
    'media types of 256 characters at most',
  ],
  [
    'trial/isolation/exchange.ts RegExp',
    'field names of the contract, escaped, and two linear parts',
  ],
  ['wire/sentence.ts RegExp', 'a pattern of the schema, which its validator runs on the same text'],
  ['trial/check/', 'the terminal of the person who runs it'],
  ['cli/', 'the terminal of the person who runs it'],
  ['sets/', 'the contracts and documents of the person who runs the gate'],
  ['explorer/browser/', 'the browser of whoever types it'],
])

/** Lists every regular expression of a file, and every one made of a text, which is unchecked. */
function expressionsOf(name, text) {
  const found = []
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
  const visit = (node) => {
    const place = `${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) found.push({ place, text: node.text })
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isMade && node.expression.getText() === 'RegExp') found.push({ place, text: undefined })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Returns the fault of an expression, or `undefined`. */
function faultOf({ text }) {
  if (text === undefined) return 'is made when it runs: write it as a literal'
  const end = text.lastIndexOf('/')
  const { status, complexity, attack } = checkSync(text.slice(1, end), text.slice(end + 1), {
    timeout: 30_000,
    // Its random inputs are the same in every run. Some take a linear expression for a slow one.
    randomSeed: 1,
  })
  if (status === 'safe') return undefined
  const reason = complexity?.summary ?? 'complexity unknown'
  return `${text} is ${status}: ${reason} ${attack?.pattern ?? ''}`
}

const planted = [
  'const a = /(a+)+$/',
  'const b = /^(?:\\w|\\d)*;$/i',
  'const c = /\\s+$/',
  'new RegExp(text)',
  'RegExp(text)',
]
for (const line of planted) {
  const faults = expressionsOf('planted.ts', line).filter(
    (expression) => faultOf(expression) !== undefined,
  )
  if (faults.length !== 1) throw new Error(`Does not see what is wrong with: ${line}`)
}

const all = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => expressionsOf(name, readFileSync(source + name, 'utf8')))
const used = new Set()
const faults = all.flatMap((expression) => {
  const fault = faultOf(expression)
  if (fault === undefined) return []
  const [name] = expression.place.split(':')
  const called = `${name} ${expression.text ?? 'RegExp'}`
  const reason = [...accepted.keys()].find((key) =>
    key.endsWith('/') ? called.startsWith(key) : called === key,
  )
  used.add(reason)
  return reason === undefined ? [`${expression.place}: ${fault}`] : []
})
for (const key of accepted.keys()) if (!used.has(key)) faults.push(`${key} is accepted for nothing`)
console.log(`${all.length} regular expressions, ${faults.length} faults`)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
