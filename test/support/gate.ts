/** Returns a promise, and the function that fulfils it. */
export function closedGate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
