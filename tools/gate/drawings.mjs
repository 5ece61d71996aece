// Writes the drawings of docs/, or checks that they are up to date.
// node tools/gate/drawings.mjs [--check | --write]
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('../../docs/drawings/', import.meta.url)
const sans = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
const themes = {
  light: { text: '#1f2328', faint: '#59636e', line: '#d1d9e0', box: '#f6f8fa', accent: '#d9480f' },
  dark: { text: '#f0f6fc', faint: '#9198a1', line: '#3d444d', box: '#151b23', accent: '#ff8c42' },
}

/** A room: its first and last column, its floor, its purpose. It stands on what it imports. */
const rooms = [
  ['convention', 0, 14.3, 0, 'the tables: operations, statuses, problems, parameters, limits'],
  ['contract', 0, 14.3, 1, 'what you declare: schemas, resources, adapters, the registry'],
  ['kysely', 0, 1, 2, 'SQL'],
  ['memory', 1, 2, 2, 'a Map'],
  ['wire', 2, 14.3, 2, 'parse and format: paths, queries, headers, JSON'],
  ['file', 1.65, 2.6, 3, 'JSON files'],
  ['server', 2.6, 6.6, 3, 'from a request to its response'],
  ['sets', 6.6, 7.7, 3, 'of values'],
  ['openapi', 7.7, 9.6, 3, 'the document'],
  ['client', 9.6, 12.7, 3, 'calls'],
  ['layers', 12.7, 13.4, 3, 'CORS …'],
  ['explorer', 13.4, 14.3, 3, 'pages'],
  ['project', 0, 2.6, 4, 'new ones'],
  ['views', 2.6, 3.3, 4, 'versions'],
  ['node', 4, 4.7, 4, 'listener'],
  ['trial', 4.7, 6.6, 4, 'asks servers'],
  ['providers', 10.85, 12.7, 4, 'for frameworks'],
  ['schemas', 6.6, 7.7, 4, 'changes'],
  ['diff', 6.6, 8.7, 5, 'the gate'],
  ['cli', 0, 8.7, 6, 'commands'],
]

/** A door: its path below `nounful`, its first and last column, its floor. */
const doors = [
  ['/kysely', 0, 1, 3],
  ['/memory', 1, 1.65, 3],
  ['nounful', 2.6, 3.3, 5],
  ['/fetch', 3.3, 4, 4],
  ['/node', 4, 4.7, 5],
  ['/conformance', 4.7, 5.9, 5],
  ['$ nounful', 0, 8.7, 7],
  ['/openapi', 8.7, 9.6, 4],
  ['/client', 9.6, 10.25, 4],
  ['/query', 10.25, 10.85, 4],
  ['/react-admin', 10.85, 11.95, 5],
  ['/refine', 11.95, 12.7, 5],
  ['/layers', 12.7, 13.4, 4],
  ['/explorer', 13.4, 14.3, 4],
]

/** A step, what it does, and the statuses of the problems that it returns. */
const steps = [
  ['understand', 'version, path, operation', '400 404 405'],
  ['authorize', 'your context and scope', '401 403'],
  ['around', 'your middleware, around the next seven', ''],
  ['judgeQuery', 'parameters and conditions', '400'],
  ['readBody', 'the body becomes drafts', '400 413 415 422'],
  ['findParents', 'each parent of the path is there', '404'],
  ['findReplay', 'the response to an earlier try', '400 409 422'],
  ['findReferences', 'the items that a draft names are there', '422'],
  ['callAdapter', 'your storage reads or writes', '404 409 412 503'],
  ['include', 'the items that the result names', ''],
  ['screen', 'only declared fields leave', ''],
  ['formatResponse', 'status, headers, body', ''],
]

/**
 * Drawings of boxes and arrows. A box: its column and row, its name, the lines below it. An arrow
 * leads from a box to one in another column, or below it.
 */
const diagrams = {
  contract: {
    title: 'One contract, and what follows from it',
    boxes: {
      contract: [0, 0.5, 'your contract', ['resources, schemas, paths', 'defineApi(…)']],
      adapters: [0, 2, 'your adapters', ['a table, a service, a file']],
      client: [1, 0, 'the typed client', ['types of the contract alone']],
      gate: [1, 1, 'the gate', ['nounful diff, in a build']],
      server: [1, 2, 'the server', ['handle(request, registry)']],
      json: [2, 1, 'JSON', ['for programs, over HTTP']],
      pages: [2, 2, 'pages', ['the explorer, for people']],
      document: [2, 3, 'OpenAPI', ['for tools of others']],
    },
    arrows: [
      ['contract', 'server'],
      ['contract', 'client'],
      ['contract', 'gate'],
      ['adapters', 'server'],
      ['server', 'json'],
      ['server', 'pages'],
      ['server', 'document'],
    ],
  },
  views: {
    title: 'A stored resource, and the views of it',
    boxes: {
      first: [0, 0, 'v1 /employees', ['name, active', 'a view']],
      second: [0, 1, 'v2 /employees', ['full_name, state, email', 'the resource itself']],
      resource: [1, 0.5, 'employees_v2', ['full_name, state, email', 'what is stored']],
      adapter: [2, 0.5, 'one adapter', ['one table, one row an item']],
    },
    arrows: [
      ['first', 'resource'],
      ['second', 'resource'],
      ['resource', 'adapter'],
    ],
  },
  scope: {
    title: 'The scope of a caller',
    boxes: {
      request: [0, 0, 'a request', ['Authorization: Bearer …', 'GET /v1/notes']],
      context: [1, 0, '.context()', ['who asks: { user: ann }']],
      scope: [2, 0, '.scope()', ['user_id = ann']],
      own: [2, 1, 'the notes of Ann', ['she reads and writes them']],
      foreign: [1, 1, 'the notes of Bob', ['404, as if there were none']],
    },
    arrows: [
      ['request', 'context'],
      ['context', 'scope'],
      ['scope', 'own'],
    ],
  },
}

function element(name, attributes, content = '') {
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
  return `<${name}${words.join('')}>${content}</${name}>`
}

function svgOf(title, width, height, theme, elements) {
  const attributes = {
    ...{ xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    ...{ role: 'img', 'font-family': sans, fill: theme.text },
  }
  const content = [element('title', {}, title), ...elements]
  return `${element('svg', attributes, `\n${content.join('\n')}\n`)}\n`
}

function boxOf({ x, y, width, height }, stroke, fill) {
  return element('rect', { x, y, width, height, rx: 4, fill, stroke })
}

/** Draws the rooms of `src/`, each on top of those that it imports, and the doors on the roofs. */
function drawHouse(theme) {
  const [column, storey, margin, roof] = [78, 54, 8, 26]
  const ground = margin + roof + 7 * storey
  const placeOf = (from, to, floor, height) => ({
    x: Math.round(margin + from * column + 2),
    y: ground - floor * storey - height + 2,
    width: Math.round((to - from) * column - 4),
    height: height - 4,
  })
  const roomElements = rooms.flatMap(([name, from, to, floor, purpose]) => {
    const place = placeOf(from, to, floor, storey)
    const x = place.x + place.width / 2
    const label = { x, 'text-anchor': 'middle' }
    const nameLabel = { ...label, y: place.y + 21, 'font-size': 14, 'font-weight': 600 }
    const purposeLabel = { ...label, y: place.y + 39, 'font-size': 12, fill: theme.faint }
    return [
      boxOf(place, theme.line, theme.box),
      element('text', { ...nameLabel, class: 'room' }, name),
      element('text', purposeLabel, purpose),
    ]
  })
  const doorElements = doors.flatMap(([path, from, to, floor]) => {
    const place = placeOf(from, to, floor, roof)
    const label = { x: place.x + place.width / 2, y: place.y + 15, 'text-anchor': 'middle' }
    const font = { 'font-family': mono, 'font-size': 11, fill: theme.accent }
    return [
      boxOf(place, theme.accent, 'none'),
      element('text', { ...label, ...font, class: 'door' }, path),
    ]
  })
  const [width, height] = [Math.round(2 * margin + 14.3 * column), ground + margin]
  const title = 'The rooms of src/: each stands on the rooms that it imports'
  return svgOf(title, width, height, theme, [...roomElements, ...doorElements])
}

/** Draws the steps of a request from top to bottom, and the problems that leave the way. */
function drawWay(theme) {
  const [width, row, top] = [760, 34, 62]
  const yOf = (place) => top + row * place
  const firstInside = steps.findIndex(([name]) => name === 'around') + 1
  const lastInside = steps.findIndex(([name]) => name === 'include')
  const faint = { 'font-size': 13, fill: theme.faint }
  const bottom = yOf(steps.length)
  const arrow = (path) =>
    element('path', { d: path, stroke: theme.faint, fill: 'none', 'marker-end': 'url(#tip)' })
  const around = {
    ...{ x: 20, y: yOf(firstInside) - 2, width: 560, height: row * (lastInside - firstInside + 1) },
  }
  const rows = steps.flatMap(([name, purpose, statuses], place) => {
    const y = yOf(place) + 20
    const nameLabel = { x: 32, y, 'font-family': mono, 'font-size': 13, 'font-weight': 600 }
    const elements = [
      element('text', { ...nameLabel, class: 'step' }, name),
      element('text', { ...faint, x: 180, y }, purpose),
    ]
    if (statuses === '') return elements
    const label = { x: 460, y, 'font-size': 13, fill: theme.accent }
    return [...elements, element('text', label, statuses), arrow(`M586,${y - 4}H640`)]
  })
  const refuse = { x: 642, y: yOf(0), width: 108, height: bottom - yOf(0) - 6 }
  const refuseName = { x: 696, y: yOf(5) + 10, 'text-anchor': 'middle', 'font-size': 13 }
  const doorName = { x: 32, y: 24, 'font-size': 14, 'font-weight': 600 }
  const responseName = { ...doorName, y: bottom + 38 }
  return svgOf('The way of a request', width, bottom + 52, theme, [
    tipOf(theme),
    element('text', doorName, 'GET /v1/companies/7/customers?q=ann&amp;sort=name'),
    element('text', { ...faint, x: 32, y: 44 }, 'a door makes an HttpRequest; layers may respond'),
    boxOf(around, theme.line, theme.box),
    arrow(`M12,${16}V${bottom + 28}`),
    ...rows,
    boxOf(refuse, theme.accent, 'none'),
    element('text', { ...refuseName, 'font-family': mono, class: 'step' }, 'refuse'),
    element('text', { ...refuseName, ...faint, y: yOf(5) + 28 }, 'a problem'),
    arrow(`M696,${bottom - 6}V${bottom + 33}H334`),
    element('text', responseName, 'the door sends the response'),
  ])
}

/** Draws boxes in columns and rows, and the arrows between them. */
function drawDiagram({ title, boxes, arrows }, theme) {
  const [width, height, gap, margin] = [200, 70, 56, 8]
  const placeOf = ([column, row]) => ({
    x: margin + column * (width + gap),
    y: margin + row * (height + gap / 2),
    ...{ width, height },
  })
  const boxElements = Object.values(boxes).flatMap((box) => {
    const [, , name, lines] = box
    const place = placeOf(box)
    const label = { x: place.x + width / 2, 'text-anchor': 'middle' }
    const nameLabel = { ...label, y: place.y + 23, 'font-size': 14, 'font-weight': 600 }
    const texts = lines.map((line, index) => {
      const y = place.y + 42 + 17 * index
      return element('text', { ...label, y, 'font-size': 12, fill: theme.faint }, line)
    })
    return [boxOf(place, theme.line, theme.box), element('text', nameLabel, name), ...texts]
  })
  const arrowElements = arrows.map(([from, to]) => {
    const [start, end] = [placeOf(boxes[from]), placeOf(boxes[to])]
    const isBelow = start.x === end.x
    const path = isBelow
      ? `M${start.x + width / 2},${start.y + height}V${end.y - 2}`
      : `M${start.x + width},${start.y + height / 2}L${end.x - 2},${end.y + height / 2}`
    return element('path', { d: path, stroke: theme.faint, 'marker-end': 'url(#tip)' })
  })
  const places = Object.values(boxes).map(placeOf)
  const right = Math.max(...places.map(({ x }) => x)) + width + margin
  const bottom = Math.max(...places.map(({ y }) => y)) + height + margin
  const all = [tipOf(theme), ...arrowElements, ...boxElements]
  return svgOf(title, right, bottom, theme, all)
}

/** Returns the tip of arrows. */
function tipOf(theme) {
  const tip = element('path', { d: 'M0,0L7,3.5L0,7z', fill: theme.faint })
  const marker = { id: 'tip', markerWidth: 7, markerHeight: 7, refX: 6, refY: 3.5, orient: 'auto' }
  return element('defs', {}, element('marker', marker, tip))
}

const mode = process.argv[2] ?? '--check'
if (mode !== '--check' && mode !== '--write') {
  console.error(`Unknown option "${mode}". Allowed: --check, --write`)
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const drawings = { house: drawHouse, way: drawWay, terminal: drawTerminal }
for (const [name, diagram] of Object.entries(diagrams)) {
  drawings[name] = (theme) => drawDiagram(diagram, theme)
}
for (const [name, draw] of Object.entries(drawings)) {
  for (const [themeName, theme] of Object.entries(themes)) {
    const file = new URL(`${name}-${themeName}.svg`, folder)
    const text = draw(theme)
    if (mode === '--write') writeFileSync(file, text)
    else if (textOf(file) !== text) {
      console.error(`${name}-${themeName}.svg is not up to date. Run:`)
      console.error('  node tools/gate/drawings.mjs --write')
      process.exitCode = 1
    }
  }
}

/** Runs a command of the example, and returns its lines as a terminal of 76 columns shows them. */
function linesOfTerminal() {
  const request = 'GET /v2/employees?status=left&sort=-birthdate'
  const options = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']
  const command = ['src/cli.ts', 'explain', request, 'examples/companies/registry.ts']
  const cwd = new URL('../../', import.meta.url)
  const output = execFileSync(process.execPath, [...options, ...command], { cwd, encoding: 'utf8' })
  return [`$ npx nounful explain '${request}'`, '', ...output.trimEnd().split('\n')]
}

/** Draws the command line: a command, and what it prints. */
function drawTerminal(theme) {
  const lines = linesOfTerminal()
  const [width, lineHeight, margin] = [620, 19, 16]
  const height = lines.length * lineHeight + 2 * margin
  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const texts = lines.map((line, index) => {
    const y = margin + (index + 0.75) * lineHeight
    const [, indent = '', word = '', gap = '', rest = ''] =
      /^(\s*)(\S+)(\s{2,})(.*)$/.exec(line) ?? []
    const label = `${indent}<tspan fill="${theme.accent}">${escaped(word)}</tspan>`
    const text = word === '' ? escaped(line) : `${label}${gap}${escaped(rest)}`
    return `<text x="${margin}" y="${y}" xml:space="preserve">${text}</text>`
  })
  const frame = `width="${width - 1}" height="${height - 1}" fill="${theme.box}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" \
font-family="${mono}" font-size="12.5" fill="${theme.text}">
<title>A command of nounful, and what it prints</title>
<rect x="0.5" y="0.5" ${frame} stroke="${theme.line}" rx="7"/>
${texts.join('\n')}
</svg>
`
}

/** Returns a file's text; `''` for none. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
