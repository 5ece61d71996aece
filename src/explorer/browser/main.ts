import { showChanges, toggleJson } from './body.ts'
import { offerCommands } from './copy.ts'
import { forgetCounts, showCounts, showTotals } from './counts.ts'
import { watchDock } from './dock.ts'
import { showDrawer, watchDrawers } from './drawer.ts'
import { watchField } from './field.ts'
import { fieldElementsOf, findAll } from './find.ts'
import { rememberStored } from './merge-stored.ts'
import { watchAuthorization, watchNavigation } from './navigate.ts'
import { showFailure } from './outcome.ts'
import { watchFill, watchReferences } from './read-items.ts'
import { freshData } from './refresh.ts'
import { watchTable } from './table.ts'
import { confirmDelete, confirmDeleteAll, submitForm, watchDeleteDialog } from './write.ts'

start()
watchTable()
watchDock()
document.addEventListener(freshData, () => {
  forgetCounts()
  showTotals()
  showCounts()
})
addEventListener('hashchange', () => {
  showDrawer()
  showCounts()
})
// The fragment may open the rail after the script runs.
addEventListener('load', () => void showCounts())
document.addEventListener('scroll', () => void showCounts(), true)
watchNavigation(start)

function start(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-kind]'))
    enhanceForm(form)
  offerCommands(document)
  for (const element of findAll(document, '.needs-script')) element.hidden = false
  for (const element of findAll(document, '.without-script')) element.hidden = true
  watchAuthorization(start)
  watchDrawers()
  showTotals()
  showCounts()
}

function enhanceForm(form: HTMLFormElement): void {
  // A browser may restore earlier input, which would pass for the values of the item.
  form.reset()
  for (const field of fieldElementsOf(form)) watchField(field)
  watchReferences(form)
  rememberStored(form)
  watchFill(form)
  watchToggle(form)
  watchDeleteDialog(form)
  showChanges(form)
  form.addEventListener('input', () => {
    form.dataset.touched = ''
    showChanges(form)
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
