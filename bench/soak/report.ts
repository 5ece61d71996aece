/** The length of a run: `short` for the gate, `long` for a night. */
export type Form = 'short' | 'long'

/** A load on servers; a file each. */
export type Scenario = (form: Form) => Promise<Findings>

/** The findings of a scenario. */
export class Findings {
  /** Each with its bound, if it has one. */
  readonly figures: string[] = []
  /** The bounds that do not hold, in words. */
  readonly broken: string[] = []

  /** Notes a figure that has no bound. */
  note(name: string, figure: number, unit = ''): void {
    this.figures.push(`${name} ${textOf(figure)}${unit}`)
  }

  /** Notes a figure, and whether it is below its bound. A missing figure breaks its bound. */
  check(name: string, figure: number, below: number, unit = ''): void {
    const text = `${name} ${textOf(figure)}${unit} (< ${textOf(below)})`
    this.figures.push(text)
    if (!(figure < below)) this.broken.push(text)
  }
}

function textOf(figure: number): string {
  const digits = Math.abs(figure) < 10 && !Number.isInteger(figure) ? 2 : 0
  return figure.toLocaleString('en', { maximumFractionDigits: digits })
}
