import type { Run } from './figures.ts'

/** The colours of a chart, on pages of one kind. */
export interface Theme {
  readonly name: 'light' | 'dark'
  readonly text: string
  readonly faint: string
  readonly line: string
  /** The colours of nounful and of the other contenders. */
  readonly ours: string
  readonly others: string
}

/** For light and for dark pages; the background is the page's own. */
export const themes: readonly Theme[] = [
  {
    name: 'light',
    text: '#1f2328',
    faint: '#59636e',
    line: '#d1d9e0',
    ours: '#d9480f',
    others: '#9aa6b2',
  },
  {
    name: 'dark',
    text: '#f0f6fc',
    faint: '#9198a1',
    line: '#3d444d',
    ours: '#ff8c42',
    others: '#5d6875',
  },
]

const font = 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif'

/** The look of all charts. */
export function configOf({ text, faint, line }: Theme): object {
  const title = { color: text, subtitleColor: faint, fontSize: 20, fontWeight: 600 }
  const axis = { labelColor: faint, titleColor: faint, gridColor: line, tickColor: line }
  return {
    font,
    background: null,
    padding: 12,
    view: { stroke: null },
    title: { ...title, subtitleFontSize: 14, subtitlePadding: 8, anchor: 'start', offset: 18 },
    axis: { ...axis, domain: false, labelFontSize: 13, titleFontSize: 13, titleFontWeight: 400 },
  }
}

/** The title, and below it the subject and the machine. */
export function titleOf(
  text: string,
  lines: readonly string[],
  { machine, node, date }: Run,
): object {
  return { text, subtitle: [...lines, `Node ${node}, ${machine}, ${date}`], frame: 'bounds' }
}

/** Whether a contender is ours. */
export function isOurs(contender: string): boolean {
  return contender.startsWith('nounful')
}

/** A colour for nounful and one for the rest, where data says `isOurs`. */
export function colourOf({ ours, others }: Theme): object {
  return { condition: { test: 'datum.isOurs', value: ours }, value: others }
}
