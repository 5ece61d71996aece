import { colourOf, type Theme } from './chart-theme.ts'

/** One bar. */
export interface Bar {
  readonly name: string
  readonly value: number
  readonly isOurs: boolean
  /** The label at its end. */
  readonly label: string
}

/** How bars are drawn. */
export interface Bars {
  readonly theme: Theme
  readonly width: number
  /** The title of the panel. Default: none. */
  readonly title?: string
  /** A line across, where the yardstick is. Default: none. */
  readonly yardstick?: number
}

const rowHeight = 27

/** Bars from the shortest to the longest, each with its name and figure, without an axis. */
export function barsOf(bars: readonly Bar[], { theme, width, title, yardstick }: Bars): object {
  const y = {
    field: 'name',
    type: 'nominal',
    sort: { field: 'value' },
    axis: { title: null, ticks: false, labelPadding: 8, ...nameAxis(theme) },
  }
  const most = Math.max(...bars.map(({ value }) => value))
  const x = {
    field: 'value',
    type: 'quantitative',
    axis: null,
    scale: { domain: [0, most * 1.12] },
  }
  const rule = {
    mark: { type: 'rule', color: theme.faint, strokeDash: [3, 3] },
    encoding: { x: { datum: yardstick, type: 'quantitative', axis: null }, y: null },
  }
  return {
    ...(title === undefined
      ? {}
      : { title: { text: title, fontSize: 14, color: theme.text, offset: 8, anchor: 'start' } }),
    width,
    height: { step: rowHeight },
    data: { values: bars },
    encoding: { y, x },
    layer: [
      {
        mark: { type: 'bar', cornerRadiusEnd: 3, height: { band: 0.72 } },
        encoding: { color: colourOf(theme) },
      },
      ...(yardstick === undefined ? [] : [rule]),
      {
        mark: { type: 'text', align: 'left', dx: 6, fontSize: 13 },
        encoding: {
          text: { field: 'label' },
          color: { condition: { test: 'datum.isOurs', value: theme.ours }, value: theme.text },
        },
      },
    ],
  }
}

function nameAxis({ ours, text }: Theme): object {
  const isOurs = { test: "indexof(datum.label, 'nounful') === 0" }
  return {
    labelFontSize: 14,
    labelLimit: 260,
    labelColor: { condition: { ...isOurs, value: ours }, value: text },
    labelFontWeight: { condition: { ...isOurs, value: 'bold' }, value: 'normal' },
  }
}
