const storage = 'nounful.drawer'
const minWidth = 320
const step = 32

/** Makes the edge of a panel movable, by pointer and by keys. The browser keeps the width. */
export function offerEdge(drawer: HTMLDialogElement): void {
  if (drawer.querySelector('.edge') !== null || innerWidth < 2 * minWidth) return
  const edge = document.createElement('div')
  edge.className = 'edge'
  edge.role = 'separator'
  edge.tabIndex = 0
  edge.ariaOrientation = 'vertical'
  edge.ariaLabel = 'Width of the panel'
  edge.ariaValueMin = `${minWidth}`
  setWidth(edge, storedWidth() || drawer.getBoundingClientRect().width)
  edge.addEventListener('pointerdown', ({ pointerId }) => edge.setPointerCapture(pointerId))
  edge.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (edge.hasPointerCapture(pointerId)) setWidth(edge, innerWidth - clientX)
  })
  edge.addEventListener('keydown', (event) => {
    const sign = { ArrowLeft: 1, ArrowRight: -1 }[event.key]
    if (sign === undefined) return
    event.preventDefault()
    setWidth(edge, drawer.getBoundingClientRect().width + sign * step)
  })
  drawer.append(edge)
}

function storedWidth(): number {
  try {
    return Number(localStorage.getItem(storage))
  } catch {
    return 0
  }
}

function setWidth(edge: HTMLElement, width: number): void {
  const most = innerWidth - minWidth
  const pixels = Math.round(Math.max(minWidth, Math.min(width, most)))
  document.documentElement.style.setProperty('--drawer', `${pixels}px`)
  edge.ariaValueMax = `${most}`
  edge.ariaValueNow = `${pixels}`
  try {
    localStorage.setItem(storage, `${pixels}`)
  } catch {
    // The page may not store data.
  }
}
