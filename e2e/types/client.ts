import { createClient, retrying } from 'nounful/client'
import type { api } from './contract.ts'

const client = createClient<typeof api>({
  baseUrl: 'http://any.example',
  fetch: retrying({ attempts: 3 }),
})

/** The texts of all notes, and of the lines of the first. */
export async function textsOf(): Promise<readonly string[]> {
  const { notes } = client.v1
  const { id } = await notes.first({ sort: ['-text'] })
  const lines = await notes(id).lines.list()
  // @ts-expect-error: there is no such field.
  lines[0]?.title
  return [...(await notes.list({ q: 'a' })), ...lines].map(({ text }) => text)
}

/** The notes as a change of their text would store them. */
export async function changedTo(text: string): Promise<readonly (string | undefined)[]> {
  const { notes } = client.v1
  const shown = await notes('1').patch({ text }, { dry_run: true })
  const many = await notes.patchMany([{ id: '2', text }])
  // @ts-expect-error: a note needs its text.
  await notes('1').patch({ text: null })
  return [shown, ...many].map((note) => note.text)
}
