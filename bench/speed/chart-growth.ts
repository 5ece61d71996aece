import { isOurs, type Theme, titleOf } from './chart-theme.ts'
import type { Run, Table } from './figures.ts'

interface Point {
  readonly name: string
  readonly size: number
  readonly value: number
  readonly isOurs: boolean
}

interface Label extends Point {
  /** The position of its name: beside its value, unless another name is there. */
  readonly place: number
  readonly label: string
}

const left = ['nounful, handle', 'hono, SmartRouter']

/** The time to find a resource, by number of resources; both axes in powers of ten. */
export function growthChart(run: Run, theme: Theme): object | undefined {
  const table = run.tables.find(({ level, unit }) => level === 'growth' && unit === 'ns')
  if (table === undefined) return undefined
  const points = pointsOf(table)
  const [ends, timeAxis] = [endsOf(points), timeAxisOf('value')]
  return {
    title: titleOf(
      findingOf(points),
      ['Time to find what a path names, by number of resources'],
      run,
    ),
    width: 470,
    height: 340,
    layer: [
      {
        data: { values: points },
        mark: { type: 'line', point: { size: 40 } },
        encoding: { x: sizeAxis, y: timeAxis, detail: { field: 'name' }, ...strokesOf(theme) },
      },
      {
        data: { values: ends },
        mark: { type: 'text', align: 'left', dx: 10, fontSize: 13 },
        encoding: {
          x: sizeAxis,
          y: timeAxisOf('place'),
          text: { field: 'label' },
          color: namesOf(theme),
        },
      },
    ],
  }
}

const sizeAxis = {
  field: 'size',
  type: 'quantitative',
  scale: { type: 'log', nice: false },
  axis: { title: 'resources', grid: false, values: [1, 10, 100, 1000, 10_000], format: ',' },
}

function timeAxisOf(field: 'value' | 'place'): object {
  const values = [100, 1000, 10_000, 100_000, 1_000_000]
  const labelExpr =
    "datum.value < 1000 ? datum.value + ' ns' : " +
    "datum.value < 1e6 ? datum.value / 1000 + ' µs' : datum.value / 1e6 + ' ms'"
  return {
    field,
    type: 'quantitative',
    scale: { type: 'log', nice: false },
    axis: { title: null, values, labelExpr },
  }
}

// So many times as high as the one below, a name is clear of it.
const apart = 1.75

function endsOf(points: readonly Point[]): readonly Label[] {
  const most = Math.max(...points.map(({ size }) => size))
  const ends = points.filter(({ size }) => size === most)
  let below = 0
  return ends
    .toSorted((one, other) => one.value - other.value)
    .map((end) => {
      below = Math.max(end.value, below * apart)
      return { ...end, place: below, label: `${end.name}, ${timeOf(end.value)}` }
    })
}

function timeOf(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${Math.round(nanoseconds)} ns`
  const [value, unit] = nanoseconds < 1e6 ? [nanoseconds / 1000, 'µs'] : [nanoseconds / 1e6, 'ms']
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

function strokesOf({ ours, others }: Theme): object {
  return {
    color: { condition: { test: 'datum.isOurs', value: ours }, value: others },
    strokeWidth: { condition: { test: 'datum.isOurs', value: 4 }, value: 2 },
  }
}

function namesOf({ ours, text }: Theme): object {
  return { condition: { test: 'datum.isOurs', value: ours }, value: text }
}

function pointsOf({ rows, cases }: Table): readonly Point[] {
  return rows
    .filter(({ contender }) => !left.includes(contender))
    .flatMap(({ contender, figures }) =>
      cases.flatMap((name) => {
        const value = figures[name]?.median
        const size = Number(name.replaceAll(',', ''))
        return value === undefined
          ? []
          : [{ name: contender, size, value, isOurs: isOurs(contender) }]
      }),
    )
}

function findingOf(points: readonly Point[]): string {
  const ours = points.filter((point) => point.isOurs).map(({ value }) => value)
  const times = (ours.at(-1) ?? Number.NaN) / (ours[0] ?? Number.NaN)
  return `One of 10,000 resources: found in ${times.toFixed(1)} × the time`
}
