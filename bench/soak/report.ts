/** The length of a run: `short` for the gate, `long` for a night. */
export type Form = 'short' | 'long'

/** An attack; a file each. */
export type Scenario = (form: Form) => Promise<Findings>

/** A figure that must stay within a bound. */
interface Bounded {
  readonly unit?: string
  /** It must be less. */
  readonly below?: number
  /** It must be this. */
  readonly is?: number
}

/** The findings of a scenario. */
export class Findings {
  /** Each with its bound, if it has one. */
  readonly figures: string[] = []
  /** The bounds that do not hold, in words. */
  readonly broken: string[] = []

  /** Notes a figure that has no bound. */
  note(name: string, figure: number | string, unit = ''): void {
    this.figures.push(`${name} ${textOf(figure)}${unit}`)
  }

  /** Notes a figure, and whether its bound holds. A figure that is missing breaks its bound. */
  check(name: string, figure: number, { unit = '', below, is = 0 }: Bounded): void {
    const bound = below === undefined ? `= ${textOf(is)}` : `< ${textOf(below)}`
    const holds = below === undefined ? figure === is : figure < below
    const text = `${name} ${textOf(figure)}${unit} (${bound})`
    this.figures.push(text)
    if (!holds) this.broken.push(text)
  }

  /** Adds the findings of another process. */
  add({ figures, broken }: Findings): void {
    this.figures.push(...figures)
    this.broken.push(...broken)
  }
}

function textOf(figure: number | string): string {
  if (typeof figure === 'string') return figure
  const digits = Math.abs(figure) < 10 && !Number.isInteger(figure) ? 2 : 0
  return figure.toLocaleString('en', { maximumFractionDigits: digits })
}
