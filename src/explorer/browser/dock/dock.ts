import { responseLines } from '../../message.ts'
import { findAll, findOne } from '../find.ts'
import { showTime } from '../refresh.ts'
import { sendRequest } from '../send.ts'

/**
 * Reads the response that a page does not repeat, once the user opens it. Tells how long the
 * browser waited for the page.
 */
export function watchDock(): void {
  const [timing] = performance.getEntriesByType('navigation')
  if (timing instanceof PerformanceNavigationTiming && timing.responseEnd > 0)
    showTime(document, timing.responseEnd - timing.requestStart)
  // The event does not bubble.
  const onToggle = ({ target }: Event) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return
    const dock = target.closest<HTMLElement>('.dock')
    if (dock !== null) fill(dock)
    for (const region of findAll(target, '[data-whole]')) showWhole(region)
  }
  document.addEventListener('toggle', onToggle, true)
}

// Loaded by who opens the dock.
async function fill(dock: HTMLElement): Promise<void> {
  const { fillDock } = await import('./panel.ts')
  fillDock(dock, await import('./languages.ts'))
}

async function showWhole(region: HTMLElement): Promise<void> {
  const { whole: url, headers = '{}' } = region.dataset
  if (url === undefined) return
  delete region.dataset.whole
  const code = findOne(region, 'code')
  const { textContent } = code
  const trip = await sendRequest({ method: 'GET', url, headers: JSON.parse(headers) }).catch(
    (error: unknown) => `${error}`,
  )
  const text = typeof trip === 'string' ? trip : responseLines(trip.response)
  // The user may have opened another request meanwhile.
  if (code.textContent === textContent) code.textContent = text
}
