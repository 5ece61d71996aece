import { segmentOfTarget } from '../contract/resource/api.ts'
import { escapeControls } from '../convention/escape.ts'
import { operations } from '../convention/operations.ts'
import { type Route, shortParameters, whoseOf } from './routes.ts'

const maxWidth = 80

/**
 * Writes routes in blocks that fit a terminal: one for the home documents, and one for each
 * resource of a version.
 */
export function formatRouteBlocks(
  routes: readonly Route[],
  homePaths: readonly string[] = [],
): string {
  const lists = groupBy(routes, (route) => `${route.version} ${collectionOf(route)}`)
  const blocks = groupBy(lists, (list) => JSON.stringify([list[0]?.version, bodyOf(list)]))
  const texts = blocks.map((same) => [...same.map(pathOf), ...bodyOf(same[0] ?? [])].join('\n'))
  const homeLines =
    homePaths.length === 0 ? [] : ['  home documents', columnsOf(['GET', '', 'home', '200'])]
  const home = [...homePaths, ...homeLines].join('\n')
  return [...(home ? [home] : []), ...texts].join('\n\n')
}

type List = readonly Route[]

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

function suffixOf({ kind }: Route): string {
  return segmentOfTarget(operations[kind].target)
}

// `/v1/employees/:id` → `/v1/employees`
function collectionOf(route: Route): string {
  const suffix = suffixOf(route)
  return suffix === '' ? route.path : route.path.slice(0, -suffix.length)
}

function pathOf([first]: List): string {
  return first === undefined ? '' : escapeControls(collectionOf(first))
}

// The lines below the paths. Two paths with the same lines share a block.
function bodyOf(list: List): readonly string[] {
  const [first] = list
  const facts = first === undefined ? '' : factsOf(first)
  return [...wrapped('  ', facts), ...list.flatMap(linesOf)]
}

function factsOf(route: Route): string {
  const { resource, shows, states, putCreates, folded, related, offers } = route
  const { rules, deprecated, sunset } = route
  const whose = whoseOf(route)
  return [
    resource,
    ...(shows === null ? [] : [`view of ${shows}`]),
    ...(offers.length === 0 ? [] : [`offers ${offers.join(', ')}`]),
    ...(putCreates ? ['PUT creates'] : []),
    ...(folded.length === 0 ? [] : [`folds ${folded.join(', ')}`]),
    ...(related.length === 0 ? [] : [`filters by fields of ${related.join(', ')}`]),
    ...(states === null ? [] : [`states of ${states.field}: ${movesOf(states)}`]),
    ...(rules.length === 0 ? [] : [`rules: ${rules.join(', ')}`]),
    ...(whose === '' ? [] : [`whose: ${whose}`]),
    ...(deprecated === null ? [] : [`deprecated: ${deprecated}`]),
    ...(sunset === null ? [] : [`ends: ${sunset}`]),
  ].join('; ')
}

// `draft to published or archived, published to none`
function movesOf({ moves }: NonNullable<Route['states']>): string {
  return Object.entries(moves)
    .map(([state, next]) => `${state} to ${next.join(' or ') || 'none'}`)
    .join(', ')
}

function linesOf(route: Route): readonly string[] {
  const { method, kind, status, parameters } = route
  const columns = columnsOf([method, suffixOf(route), kind, `${status}`])
  return wrapped(`${columns}  `, shortParameters(parameters))
}

const widths = [6, 6, 10]

function columnsOf(cells: readonly string[]): string {
  return `    ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`
}

// Breaks a text at spaces. Further lines begin below it.
function wrapped(start: string, text: string): readonly string[] {
  const lines: string[] = []
  let line = start
  for (const word of escapeControls(text).split(' ')) {
    const isFirst = line.length === start.length
    if (!isFirst && line.length + 1 + word.length > maxWidth) {
      lines.push(line)
      line = `${' '.repeat(start.length)}${word}`
    } else line += isFirst ? word : ` ${word}`
  }
  return [...lines, line.trimEnd()]
}
