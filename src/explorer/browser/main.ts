import { offerCommands } from './copy.ts'
import { forgetCounts, showCounts, showTotals } from './counts.ts'
import { watchDock } from './dock/dock.ts'
import { showDrawer, watchDrawers } from './drawer.ts'
import { fieldElementsOf, findAll } from './find.ts'
import { showChanges, toggleJson } from './forms/body.ts'
import { restoreDraft, storeDraft } from './forms/draft.ts'
import { rememberStored, watchField } from './forms/field.ts'
import { disableForm, showFailure } from './forms/outcome.ts'
import {
  confirmDelete,
  confirmDeleteAll,
  submitForm,
  watchCount,
  watchDeleteDialog,
} from './forms/write.ts'
import { askToDelete, markRow, openForm, openItem, watchItems } from './item-panel.ts'
import { watchAuthorization, watchNavigation } from './navigate.ts'
import { restoreRail, watchKeys } from './palette/keys.ts'
import { freshData, keepDock, newPage, pageHolding, refresh } from './refresh.ts'
import { forgetFacets, showFacets } from './table/facets.ts'
import { showNextRows, watchTable } from './table/rows.ts'
import { offerSelection, watchExport, watchSelection } from './table/selection.ts'
import { watchConnection } from './toast.ts'

watchDock()
start()
watchTable()
watchItems(prepare)
watchSelection(async () => (await import('./table/selection-bar.ts')).showBar(enhanceForm))
watchExport()
watchKeys((url) => openItem(url, prepare))
restoreRail()
document.addEventListener(freshData, () => {
  offerSelection(document)
  markRow()
  forgetCounts()
  forgetFacets()
  showTotals()
  showCounts()
  showFacets()
})
addEventListener('hashchange', () => {
  showDrawer()
  showFilter()
  showCounts()
  // It covers the page of a narrow window.
  if (location.hash === '#rail') document.querySelector<HTMLElement>('.rail .close')?.focus()
})
// The fragment may open the rail after the script runs, and takes the focus.
addEventListener('load', () => {
  showCounts()
  showAction()
  showFilter()
})
document.addEventListener(
  'scroll',
  () => {
    showCounts()
    showNextRows(offerSelection)
  },
  true,
)
// A page that needs the authorization of the tab comes after the load.
document.addEventListener(newPage, showAction)
document.addEventListener('focusin', async ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  if (!target.matches('[data-choices]:not([role])')) return
  const early = { value: target.value, key: '' }
  target.addEventListener('keydown', ({ key }) => {
    early.key = key
  })
  const { offerItems } = await import('./forms/reference.ts')
  // The field may have had the focus twice meanwhile.
  if (target.role === null) offerItems(target, early)
})
watchConnection()
watchNavigation(start)

function start(): void {
  document.body.dataset.page = location.pathname + location.search
  keepDock(document)
  prepare(document.body)
  watchAuthorization(start)
  watchDrawers()
  offerSelection(document)
  showTotals()
  showCounts()
  showFacets()
}

// Opens the form, or asks: a narrow window shows the page of an item in place of a panel.
function showAction(): void {
  const main = document.querySelector<HTMLElement>('#main:has(> #edit)')
  if (main === null) return
  if (location.hash === '#edit') openForm(main)
  if (location.hash === '#delete') askToDelete(main)
}

// Some browsers leave the target of a fragment folded.
function showFilter(): void {
  const control = document.getElementById(location.hash.slice(1))
  const menu = control?.closest<HTMLElement>('.filters')
  menu?.toggleAttribute('open', true)
  if (menu) control?.focus()
}

function prepare(within: HTMLElement): void {
  for (const form of within.querySelectorAll<HTMLFormElement>('form[data-kind]')) enhanceForm(form)
  offerCommands(within)
  for (const element of findAll(within, '.needs-script')) element.hidden = false
  for (const element of findAll(within, '.without-script')) element.hidden = true
}

function enhanceForm(form: HTMLFormElement): void {
  // A browser may restore earlier input, which would pass for the values of the item.
  form.reset()
  for (const field of fieldElementsOf(form)) watchField(field)
  rememberStored(form)
  watchFill(form)
  watchToggle(form)
  watchDeleteDialog(form, enhanceForm)
  watchCount(form)
  showChanges(form)
  form.addEventListener('input', () => {
    form.dataset.touched = ''
    showChanges(form)
    storeDraft(form)
    disableForm(form, '')
  })
  restoreDraft(form, {
    change: () => showChanges(form),
    discard() {
      delete form.dataset.touched
      refresh(pageHolding(form), enhanceForm)
    },
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    // A second click must not send the form twice.
    if (form.getAttribute('aria-busy') === 'true') return
    form.setAttribute('aria-busy', 'true')
    try {
      await submissionOf(form)(form, enhanceForm, event.submitter)
    } finally {
      form.removeAttribute('aria-busy')
    }
  })
}

// The items come once the form is open.
function watchFill(form: HTMLElement): void {
  const note = form.querySelector<HTMLElement>('[data-items]')
  const details = form.closest('details')
  if (note === null || details === null) return
  const fillOnce = async (): Promise<void> => {
    if (!details.open || note.dataset.items !== '') return
    note.dataset.items = 'asked'
    ;(await import('./forms/read-items.ts')).fillItems(form, note)
  }
  details.addEventListener('toggle', fillOnce)
  fillOnce()
}

// A form that deletes asks first.
function submissionOf(form: HTMLFormElement): (...of: Parameters<typeof submitForm>) => unknown {
  if (form.querySelector('dialog') !== null) return confirmDelete
  return form.querySelector('[data-sure]') === null ? submitForm : confirmDeleteAll
}

function watchToggle(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLElement>('[data-toggle]')
  button?.addEventListener('click', () => {
    const error = toggleJson(form)
    if (error !== undefined) return showFailure(form, error, {})
    showChanges(form)
    const isPressed = button.getAttribute('aria-pressed') === 'true'
    button.setAttribute('aria-pressed', `${!isPressed}`)
  })
}
