import { rest } from './rest.mjs'

/** Answers the questions of the process that started this one, one after another, and ends with it. */
export function answers(asked) {
  const known = { rest, ...asked }
  process.on('message', async ({ number, question, about }) => {
    try {
      process.send({ number, answer: await known[question](about) })
    } catch (error) {
      process.send({ number, failure: error?.stack ?? String(error) })
    }
  })
  // Exit handlers run: a profile is written.
  process.once('disconnect', () => process.exit())
}
