// The library as it is built, or as source where the conditions say so: then a change is measured without a build.
const isSource = process.execArgv.includes('--conditions=nounful:source')
const [folder, extension] = isSource ? ['src', 'ts'] : ['dist', 'js']

/** Loads one of the library's doors: `index`, `node`, `fetch`. */
export function door(name) {
  return import(new URL(`../../../../${folder}/${name}.${extension}`, import.meta.url))
}
