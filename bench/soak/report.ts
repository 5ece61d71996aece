/** How long to go on: as the gate does, or as one does by night. */
export type Form = 'short' | 'long'

/** The findings of a scenario. */
export interface Report {
  /** Each with its bound, if it has one. */
  readonly figures: readonly string[]
  /** The bounds that do not hold, in words. */
  readonly broken: readonly string[]
}

/** An attack; a file each. */
export type Scenario = (form: Form) => Promise<Report>

/** A figure that must stay within a bound. */
interface Bounded {
  readonly unit?: string
  /** It must be less. */
  readonly below?: number
  /** It must be this. */
  readonly is?: number
}

/** Writes a report. */
export class Findings implements Report {
  readonly figures: string[] = []
  readonly broken: string[] = []

  /** Notes a figure that has no bound. */
  note(name: string, figure: number | string, unit = ''): void {
    this.figures.push(`${name} ${shown(figure)}${unit}`)
  }

  /** Notes a figure, and whether its bound holds. */
  check(name: string, figure: number, { unit = '', below, is }: Bounded): void {
    const bound = below === undefined ? `= ${shown(is ?? 0)}` : `< ${shown(below)}`
    // A figure that could not be measured breaks its bound.
    const holds = below === undefined ? figure === is : figure < below
    const text = `${name} ${shown(figure)}${unit} (${bound})`
    this.figures.push(text)
    if (!holds) this.broken.push(text)
  }

  /** Adds the findings of another process. */
  add({ figures, broken }: Report): void {
    this.figures.push(...figures)
    this.broken.push(...broken)
  }
}

function shown(figure: number | string): string {
  if (typeof figure === 'string') return figure
  const digits = Math.abs(figure) < 10 && !Number.isInteger(figure) ? 2 : 0
  return figure.toLocaleString('en', { maximumFractionDigits: digits })
}

/** The value below which a share of the values lies. */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** How much a value grows by a unit of another: the slope of the line with the least squares. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const [up, across] = points.reduce(
    ([up, across], [x, y]) => [up + (x - meanX) * (y - meanY), across + (x - meanX) ** 2],
    [0, 0],
  )
  return up / across
}
