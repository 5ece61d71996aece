import { formatStatus } from '../exchange.ts'
import { askAgain } from './ask-again.ts'
import { readBody } from './body.ts'
import { catchUp } from './catch-up.ts'
import { clearFaults, fieldAt, issuesOf, markField, placeIssues } from './faults.ts'
import { find, make } from './find.ts'
import { outcomeOf, tell, warn } from './outcome.ts'
import { isItemOf } from './place.ts'
import { refresh } from './refresh.ts'
import { type Exchange, send } from './send.ts'

/** Makes a form of the page work. */
export type Enhance = (form: HTMLFormElement) => void

/** Sends what a form holds, and tells what came of it. */
export async function write(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  clearFaults(form)
  const body = readBody(form)
  if ('faults' in body) {
    warn(form, 'Nothing was sent.', {})
    for (const { name, message } of body.faults) {
      const field = name === undefined ? find(form, '[data-json]') : fieldAt(form, name)
      if (field !== undefined) markField(field, message)
    }
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    return
  }
  const exchange = await sendFrom(form, { 'content-type': 'application/json' }, body.text)
  if (exchange === undefined) return
  tell(form, wordsFor(exchange, form.dataset.list), exchange)
  await renew(form, enhance)
}

/**
 * Sends the request of a form; what is wrong is told at once.
 *
 * @returns The exchange when all went well.
 */
export async function sendFrom(
  form: HTMLElement,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Exchange | undefined> {
  const { method = '', url = '', etag } = form.dataset
  const condition = etag === undefined ? {} : { 'if-match': etag }
  return ask(form, {
    method,
    url,
    headers: { accept: 'application/json', ...headers, ...condition },
    body,
  })
}

/** Sends any request on behalf of a form; what is wrong is told at once. */
export async function ask(
  form: HTMLElement,
  request: Parameters<typeof send>[0],
): Promise<Exchange | undefined> {
  try {
    const exchange = await send(request)
    if (exchange.received.status < 300) return exchange
    const issues = issuesOf(exchange.value)
    const { status } = exchange.received
    const line = formatStatus(exchange.received)
    const { detail = '' } = Object(exchange.value)
    const title = issues.length > 0 ? line : `${line}. ${detail}`
    const lines = placeIssues(form, issues)
    const isPlaced = form.querySelector('[aria-invalid="true"]') !== null
    const isStale = form.dataset.etag !== undefined && status === 409
    const changes = isStale ? await catchUp(form) : []
    warn(form, title, { lines: [...lines, ...changes], exchange })
    if (status === 401) find(outcomeOf(form), '.told').after(askAgain())
    if (!isPlaced) outcomeOf(form).focus()
  } catch (error) {
    warn(form, `No answer came: ${error}`, {})
    outcomeOf(form).focus()
  }
  return undefined
}

/** Brings the page up to date, the form itself included. */
export async function renew(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  delete form.dataset.touched
  try {
    await refresh(enhance)
  } catch {
    const words = 'The page could not be brought up to date: reload it to see what there is now.'
    outcomeOf(form).prepend(make('p', { class: 'told bad', role: 'alert' }, words))
  }
}

function wordsFor({ received, value }: Exchange, list = ''): readonly (Node | string)[] {
  const said = `${formatStatus(received)}. `
  if (Array.isArray(value)) return [`${said}${value.length} items are as you sent them.`]
  const { location: url = '' } = received.headers
  // A header may say anything: only an item of this collection is made a link.
  if (!isItemOf(list, url)) return [`${said}It is saved.`]
  return [said, 'It is at ', make('a', { href: url }, url), '.']
}
