// The sources where the conditions say so: then a change is measured without a build.
const isSource = process.execArgv.includes('--conditions=nounful:source')
const folder = isSource ? 'src' : 'dist'
const library = new URL(`${folder}/`, new URL('../../../../', import.meta.url))

/** Loads one of the library's doors: `index`, `node`, `fetch`. */
export function door(name) {
  return import(new URL(`${name}.${isSource ? 'ts' : 'js'}`, library))
}
