/** True, false, or undefined where nothing tells. */
export type Truth = boolean | undefined

/** Returns whether all hold: one false decides. */
export function every<Element>(
  elements: Iterable<Element>,
  judge: (element: Element) => Truth,
): Truth {
  let truth: Truth = true
  for (const element of elements) {
    const one = judge(element)
    if (one === false) return false
    if (one === undefined) truth = undefined
  }
  return truth
}

/** Returns whether one holds: one true decides. */
export function some<Element>(
  elements: Iterable<Element>,
  judge: (element: Element) => Truth,
): Truth {
  return negate(every(elements, (element) => negate(judge(element))))
}

/** Returns the opposite. */
export function negate(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth
}

/** Returns whether a number of elements that hold is within bounds. */
export function counted<Element>(
  elements: readonly Element[],
  judge: (element: Element) => Truth,
  { min, max }: { readonly min: number; readonly max: number },
): Truth {
  const truths = elements.map(judge)
  const least = truths.filter((truth) => truth === true).length
  const most = least + truths.filter((truth) => truth === undefined).length
  if (least > max || most < min) return false
  return least >= min && most <= max ? true : undefined
}
