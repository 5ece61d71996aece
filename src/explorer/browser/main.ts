import { fieldsOf, toggleJson } from './body.ts'
import { rememberStored } from './catch-up.ts'
import { offerCommands } from './copy.ts'
import { watchField } from './field.ts'
import { findAll } from './find.ts'
import { watchAuthorization, watchNavigation } from './navigate.ts'
import { warn } from './outcome.ts'
import { confirmDelete, deleteAll, watchQuestion } from './remove.ts'
import { type Enhance, write } from './write.ts'

const submissions: Readonly<Record<string, (form: HTMLFormElement, enhance: Enhance) => unknown>> =
  { create: write, update: write, updateMany: write, delete: confirmDelete, deleteAll }

start()
watchNavigation(start)

function start(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-kind]'))
    enhanceForm(form)
  offerCommands(document)
  for (const element of findAll(document, '.needs-script')) element.hidden = false
  for (const element of findAll(document, '.without-script')) element.hidden = true
  watchAuthorization(start)
}

function enhanceForm(form: HTMLFormElement): void {
  // A browser may have put back what was written before it went away: it would pass for what the item has.
  form.reset()
  for (const field of fieldsOf(form)) watchField(field)
  rememberStored(form)
  watchToggle(form)
  watchQuestion(form)
  form.addEventListener('input', () => {
    form.dataset.touched = ''
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    // A second press while the first is under way would do it twice.
    if (form.getAttribute('aria-busy') === 'true') return
    form.setAttribute('aria-busy', 'true')
    try {
      await submissions[form.dataset.kind ?? '']?.(form, enhanceForm)
    } finally {
      form.removeAttribute('aria-busy')
    }
  })
}

function watchToggle(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLElement>('[data-toggle]')
  button?.addEventListener('click', () => {
    const fault = toggleJson(form)
    if (fault !== undefined) return warn(form, fault, {})
    const isPressed = button.getAttribute('aria-pressed') === 'true'
    button.setAttribute('aria-pressed', `${!isPressed}`)
  })
}
