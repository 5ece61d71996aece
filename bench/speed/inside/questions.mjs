/** Replies to the questions of the parent process, one by one, and ends with it. */
export function answers(asked) {
  process.on('message', async ({ number, question, about }) => {
    try {
      process.send({ number, answer: await asked[question](about) })
    } catch (error) {
      process.send({ number, failure: error?.stack ?? String(error) })
    }
  })
  // Exit handlers run: a profile is written.
  process.once('disconnect', () => process.exit())
}
