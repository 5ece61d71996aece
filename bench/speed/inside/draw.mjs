// Charts as text: Vega draws them without a browser.
import { parse, View } from 'vega'
import { compile } from 'vega-lite'
import { answers } from './questions.mjs'

answers({ draw })

/** The SVG of a Vega-Lite specification. */
async function draw(specification) {
  const view = new View(parse(compile(specification).spec), { renderer: 'none' })
  return view.toSVG()
}
