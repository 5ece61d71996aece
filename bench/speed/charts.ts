import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mean, type Run, type Table } from './tables.ts'

/** The colours of a chart, on pages of one kind. The background is that of the page. */
interface Theme {
  readonly name: 'light' | 'dark'
  readonly text: string
  readonly faint: string
  readonly line: string
  /** The colours of nounful and of its peers. */
  readonly nounful: string
  readonly peer: string
}

const light = { text: '#1f2328', faint: '#59636e', line: '#d1d9e0' }
const dark = { text: '#f0f6fc', faint: '#9198a1', line: '#3d444d' }
const themes: readonly Theme[] = [
  { name: 'light', ...light, nounful: '#d9480f', peer: '#9aa6b2' },
  { name: 'dark', ...dark, nounful: '#ff8c42', peer: '#5d6875' },
]
const folder = join(import.meta.dirname, '../../docs/charts')

/** Draws the charts of the newest Node's run, for light and for dark pages. */
export function drawCharts([run]: readonly Run[]): void {
  if (run === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const theme of themes) {
    for (const [name, draw] of Object.entries({ cost: costChart, growth: growthChart })) {
      writeFileSync(join(folder, `${name}-${theme.name}.svg`), `${draw(run, theme)}\n`)
    }
  }
}

type Attributes = Readonly<Record<string, string | number>>

function element(name: string, attributes: Attributes, content = ''): string {
  const words = Object.entries(attributes).map(([key, value]) => {
    return ` ${key}="${typeof value === 'number' ? Math.round(value * 10) / 10 : value}"`
  })
  return `<${name}${words.join('')}>${content}</${name}>`
}

interface Chart {
  readonly title: string
  readonly subject: string
  readonly width: number
  readonly height: number
}

function svgOf(chart: Chart, { machine, node, date }: Run, theme: Theme, marks: string[]): string {
  const { title, subject, width, height } = chart
  const heading = { x: 12, y: 30, fill: theme.text, 'font-size': 20, 'font-weight': 600 }
  const lines = [subject, `Node ${node}, ${machine}, ${date}`].map((line, place) =>
    element('text', { x: 12, y: 54 + 18 * place, fill: theme.faint, 'font-size': 14 }, line),
  )
  const attributes = {
    ...{ xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    'font-family': "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif",
  }
  const content = [element('text', heading, title), ...lines, ...marks]
  return element('svg', attributes, `\n${content.join('\n')}\n`)
}

function tableIn({ tables }: Run, level: string, unit: string): Table {
  const table = tables.find((table) => table.level === level && table.unit === unit)
  if (table === undefined) throw new Error(`bench/speed/results holds no ${level} in ${unit}`)
  return table
}

const isNounful = (contender: string): boolean => contender.startsWith('nounful')

/** Draws the CPU of a request beside bare: the geometric mean of all cases but the bulk. */
function costChart(run: Run, theme: Theme): string {
  const bars = tableIn(run, 'pipeline', '× bare')
    .rows.filter(({ contender }) => !contender.endsWith('again'))
    .map(({ contender, figures }) => ({ contender, value: figures[mean]?.median ?? Number.NaN }))
    .toSorted((a, b) => a.value - b.value)
  const scale = 430 / Math.max(...bars.map(({ value }) => value))
  const [left, top, step] = [170, 92, 27]
  const marks = bars.flatMap(({ contender, value }, place) => {
    const y = top + step * place
    const name = contender === 'bare' ? 'node:http by hand' : contender
    const ours = isNounful(contender)
    const text = { y: y + 15, 'font-size': 14, fill: ours ? theme.nounful : theme.text }
    const weight = ours ? 'bold' : 'normal'
    const label = { x: left - 8, ...text, 'text-anchor': 'end', 'font-weight': weight }
    const bar = { x: left, y, width: value * scale, height: 20, rx: 3 }
    return [
      element('text', label, name),
      element('rect', { ...bar, fill: ours ? theme.nounful : theme.peer }),
      element('text', { ...text, x: left + value * scale + 6 }, `${value.toFixed(2)} ×`),
    ]
  })
  const height = top + step * bars.length + 12
  const line = { d: `M${left + scale},${top - 6}V${height - 10}`, stroke: theme.faint }
  marks.push(element('path', { ...line, 'stroke-dasharray': '3 3' }))
  const ours = bars.find(({ contender }) => contender === 'nounful')
  const percent = Math.round(((ours?.value ?? Number.NaN) - 1) * 100)
  const title = `The convention costs ${percent} % beside bare node:http`
  const subject = 'CPU a request, beside that of the same answers written by hand'
  return svgOf({ title, subject, width: 700, height }, run, theme, marks)
}

const omitted = ['nounful, handle', 'hono, SmartRouter']

/** Draws the time to find a resource, by number of resources; both axes in powers of ten. */
function growthChart(run: Run, theme: Theme): string {
  const { rows, cases } = tableIn(run, 'growth', 'ns')
  const lines = rows
    .filter(({ contender }) => !omitted.includes(contender))
    .map(({ contender, figures }) => ({
      contender,
      values: cases.map((name) => figures[name]?.median ?? Number.NaN),
    }))
    .toSorted((a, b) => (a.values.at(-1) ?? 0) - (b.values.at(-1) ?? 0))
  const [left, bottom] = [72, 440]
  const xOf = (place: number) => left + 115 * place
  const yOf = (nanoseconds: number) => bottom - 20 - 68 * Math.log10(nanoseconds / 78)
  const faint = { fill: theme.faint, 'font-size': 13 }
  const marks = [100, 1000, 10_000, 100_000, 1_000_000].flatMap((time) => [
    element('path', { d: `M${left},${yOf(time)}H${xOf(4)}`, stroke: theme.line }),
    element('text', { x: 62, y: yOf(time) + 4, ...faint, 'text-anchor': 'end' }, timeOf(time)),
  ])
  for (const [place, name] of cases.entries()) {
    const at = { x: xOf(place), y: bottom + 18, ...faint, 'text-anchor': 'middle' }
    marks.push(element('text', at, name))
  }
  const axis = { x: xOf(2), y: bottom + 40, ...faint, 'text-anchor': 'middle' }
  marks.push(element('text', axis, 'resources'))
  let height = Number.POSITIVE_INFINITY
  for (const { contender, values } of lines) {
    const ours = isNounful(contender)
    const color = ours ? theme.nounful : theme.peer
    const last = values.at(-1) ?? Number.NaN
    const points = values.map((value, place) => [xOf(place), Math.round(yOf(value))] as const)
    const line = { fill: 'none', stroke: color, 'stroke-width': ours ? 4 : 2 }
    marks.push(element('path', { ...line, d: `M${points.map(String).join('L')}` }))
    marks.push(...points.map(([cx, cy]) => element('circle', { cx, cy, r: 3.5, fill: color })))
    // A label stays clear of the one below.
    height = Math.min(yOf(last) + 4, height - 17)
    const at = { x: xOf(4) + 10, y: height, 'font-size': 13, fill: ours ? color : theme.text }
    marks.push(element('text', at, `${contender}, ${timeOf(last)}`))
  }
  const ours = lines.find(({ contender }) => isNounful(contender))?.values ?? []
  const times = ((ours.at(-1) ?? Number.NaN) / (ours[0] ?? Number.NaN)).toFixed(1)
  const title = `One of 10,000 resources: found in ${times} × the time`
  const subject = 'Time to find what a path names, by number of resources'
  return svgOf({ title, subject, width: 770, height: 490 }, run, theme, marks)
}

function timeOf(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${Math.round(nanoseconds)} ns`
  const [value, unit] = nanoseconds < 1e6 ? [nanoseconds / 1000, 'µs'] : [nanoseconds / 1e6, 'ms']
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`
}
