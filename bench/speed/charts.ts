import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from './child.ts'
import type { Run, Table } from './figures.ts'
import { readResults } from './results.ts'
import { mean } from './tables.ts'

/** The colours of a chart, on pages of one kind. */
interface Theme {
  readonly name: 'light' | 'dark'
  readonly text: string
  readonly faint: string
  readonly line: string
  /** The colours of nounful and of its peers. */
  readonly nounful: string
  readonly peer: string
}

// The background is that of the page.
const light = { text: '#1f2328', faint: '#59636e', line: '#d1d9e0' }
const dark = { text: '#f0f6fc', faint: '#9198a1', line: '#3d444d' }
const themes: readonly Theme[] = [
  { name: 'light', ...light, nounful: '#d9480f', peer: '#9aa6b2' },
  { name: 'dark', ...dark, nounful: '#ff8c42', peer: '#5d6875' },
]

/** Makes a Vega-Lite specification of a run; `undefined` where the run lacks its table. */
type Chart = (run: Run, theme: Theme) => object | undefined

const charts: Readonly<Record<string, Chart>> = { cost: costChart, growth: growthChart }
const folder = join(import.meta.dirname, '../../docs/charts')

/** Draws the charts of the newest Node's run, for light and for dark pages. */
export async function drawCharts(): Promise<void> {
  const [run] = readResults()
  if (run === undefined) throw new Error('bench/speed/results holds no run.')
  mkdirSync(folder, { recursive: true })
  const file = 'inside/draw.mjs'
  const child = start({ file, about: [], node: process.execPath, flags: [], core: 0 })
  try {
    for (const [name, chartOf] of Object.entries(charts)) {
      for (const theme of themes) {
        const chart = chartOf(run, theme)
        if (chart === undefined) continue
        const svg = await child.ask<string>('draw', { ...chart, config: configOf(theme) })
        writeFileSync(join(folder, `${name}-${theme.name}.svg`), `${svg}\n`)
      }
    }
  } finally {
    await child.end()
  }
}

function configOf({ text, faint, line }: Theme): object {
  const title = { color: text, subtitleColor: faint, fontSize: 20, fontWeight: 600 }
  const axis = { labelColor: faint, titleColor: faint, gridColor: line, tickColor: line }
  return {
    font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
    background: null,
    padding: 12,
    view: { stroke: null },
    title: { ...title, subtitleFontSize: 14, subtitlePadding: 8, anchor: 'start', offset: 18 },
    axis: { ...axis, domain: false, labelFontSize: 13, titleFontSize: 13, titleFontWeight: 400 },
  }
}

function titleOf(text: string, subject: string, { machine, node, date }: Run): object {
  return { text, subtitle: [subject, `Node ${node}, ${machine}, ${date}`], frame: 'bounds' }
}

function isNounful(contender: string): boolean {
  return contender.startsWith('nounful')
}

/** One value for nounful and one for its peers. */
function split(nounful: unknown, peer: unknown): object {
  return { condition: { test: 'datum.isNounful', value: nounful }, value: peer }
}

/** Draws the CPU of a request beside bare: the geometric mean of all cases but the bulk. */
function costChart(run: Run, theme: Theme): object | undefined {
  const table = run.tables.find(({ level, unit }) => level === 'pipeline' && unit === '× bare')
  if (table === undefined) return undefined
  const bars = table.rows.flatMap(({ contender, figures }) => {
    if (contender.endsWith('again')) return []
    const value = figures[mean]?.median ?? Number.NaN
    const name = contender === 'bare' ? 'node:http by hand' : contender
    return [{ name, value, label: `${value.toFixed(2)} ×`, isNounful: isNounful(contender) }]
  })
  const cost = bars.find(({ name }) => name === 'nounful')?.value ?? Number.NaN
  const percent = Math.round((cost - 1) * 100)
  const most = Math.max(...bars.map(({ value }) => value))
  const names = { test: "indexof(datum.label, 'nounful') === 0" }
  const axis = {
    ...{ title: null, ticks: false, labelPadding: 8, labelFontSize: 14, labelLimit: 260 },
    labelColor: { condition: { ...names, value: theme.nounful }, value: theme.text },
    labelFontWeight: { condition: { ...names, value: 'bold' }, value: 'normal' },
  }
  const scale = { domain: [0, most * 1.12] }
  return {
    title: titleOf(
      `The convention costs ${percent} % beside bare node:http`,
      'CPU a request, beside that of the same answers written by hand',
      run,
    ),
    width: 480,
    height: { step: 27 },
    data: { values: bars },
    encoding: {
      y: { field: 'name', type: 'nominal', sort: { field: 'value' }, axis },
      x: { field: 'value', type: 'quantitative', axis: null, scale },
    },
    layer: barLayers(theme),
  }
}

function barLayers({ nounful, peer, text, faint }: Theme): readonly object[] {
  return [
    {
      mark: { type: 'bar', cornerRadiusEnd: 3, height: { band: 0.72 } },
      encoding: { color: split(nounful, peer) },
    },
    {
      mark: { type: 'rule', color: faint, strokeDash: [3, 3] },
      encoding: { x: { datum: 1, type: 'quantitative', axis: null }, y: null },
    },
    {
      mark: { type: 'text', align: 'left', dx: 6, fontSize: 13 },
      encoding: { text: { field: 'label' }, color: split(nounful, text) },
    },
  ]
}

interface Point {
  readonly name: string
  readonly size: number
  readonly value: number
  readonly isNounful: boolean
}

const omitted = ['nounful, handle', 'hono, SmartRouter']

/** Draws the time to find a resource, by number of resources; both axes in powers of ten. */
function growthChart(run: Run, { nounful, peer, text }: Theme): object | undefined {
  const table = run.tables.find(({ level, unit }) => level === 'growth' && unit === 'ns')
  if (table === undefined) return undefined
  const points = pointsOf(table)
  const times = points.filter((point) => point.isNounful).map(({ value }) => value)
  const growth = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN)
  const sizes = [1, 10, 100, 1000, 10_000]
  const x = {
    field: 'size',
    type: 'quantitative',
    scale: { type: 'log', nice: false },
    axis: { title: 'resources', grid: false, values: sizes, format: ',' },
  }
  const strokeWidth = split(4, 2)
  return {
    title: titleOf(
      `One of 10,000 resources: found in ${growth.toFixed(1)} × the time`,
      'Time to find what a path names, by number of resources',
      run,
    ),
    width: 470,
    height: 340,
    layer: [
      {
        data: { values: points },
        mark: { type: 'line', point: { size: 40 } },
        encoding: {
          ...{ x, y: timeAxisOf('value'), detail: { field: 'name' } },
          ...{ color: split(nounful, peer), strokeWidth },
        },
      },
      {
        data: { values: labelsOf(points) },
        mark: { type: 'text', align: 'left', dx: 10, fontSize: 13 },
        encoding: {
          ...{ x, y: timeAxisOf('height'), text: { field: 'label' }, color: split(nounful, text) },
        },
      },
    ],
  }
}

function timeAxisOf(field: 'value' | 'height'): object {
  const labelExpr =
    "datum.value < 1000 ? datum.value + ' ns' : " +
    "datum.value < 1e6 ? datum.value / 1000 + ' µs' : datum.value / 1e6 + ' ms'"
  return {
    field,
    type: 'quantitative',
    scale: { type: 'log', nice: false },
    axis: { title: null, values: [100, 1000, 10_000, 100_000, 1_000_000], labelExpr },
  }
}

// A label is clear of the one below where it is so many times as high.
const distance = 1.75

function labelsOf(points: readonly Point[]): readonly object[] {
  const most = Math.max(...points.map(({ size }) => size))
  let height = 0
  return points
    .filter(({ size }) => size === most)
    .toSorted((left, right) => left.value - right.value)
    .map((point) => {
      height = Math.max(point.value, height * distance)
      return { ...point, height, label: `${point.name}, ${timeOf(point.value)}` }
    })
}

function timeOf(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${Math.round(nanoseconds)} ns`
  const [value, unit] = nanoseconds < 1e6 ? [nanoseconds / 1000, 'µs'] : [nanoseconds / 1e6, 'ms']
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

function pointsOf({ rows, cases }: Table): readonly Point[] {
  return rows
    .filter(({ contender }) => !omitted.includes(contender))
    .flatMap(({ contender: name, figures }) =>
      cases.flatMap((label) => {
        const value = figures[label]?.median
        const size = Number(label.replaceAll(',', ''))
        return value === undefined ? [] : [{ name, size, value, isNounful: isNounful(name) }]
      }),
    )
}
