import { identity } from './authorization.ts'
import { findOne, make } from './find.ts'

/** The changes of the tab's authorization that the menu offers. */
interface Access {
  /** Sends another authorization from now on. */
  use(value: string): void
  /** Sends none any more. */
  leave(): void
}

/** Shows in the top bar who is signed in, with a menu to change the token or to sign out. */
export function offerSignOut({ use, leave }: Access): void {
  document.querySelector('.who')?.remove()
  const { name, scheme } = identity()
  const isRefused = document.querySelector('main [data-authorization]') !== null
  const words = isRefused
    ? ['Token refused']
    : name === ''
      ? ['Signed in']
      : [make('span', { class: 'hidden' }, 'Signed in as '), make('bdi', {}, name)]
  const kind = scheme === '' ? 'a token' : `a ${scheme} token`
  const hint = `This tab sends ${kind} until you close it.`
  const secret = { id: 'token', type: 'password', autocomplete: 'off', required: '' }
  const input = make('input', secret) as HTMLInputElement
  const button = make('button', { type: 'button' }, 'Sign out')
  button.addEventListener('click', leave)
  const form = make(
    'form',
    {},
    make('p', { class: 'note' }, hint),
    make('label', { for: 'token' }, 'Another token, as in ', make('code', {}, 'Bearer …')),
    make('div', { class: 'entry' }, input, make('button', { type: 'submit' }, 'Change token')),
    make('p', { class: 'buttons' }, button),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    use(input.value)
  })
  const summary = make('summary', {}, ...words, ' ▾')
  const menu = make('details', { class: 'menu who', name: 'menu' }, summary, form)
  findOne(document, '.top').append(menu)
}
