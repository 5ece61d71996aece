import { foldedText, type TextOf } from '../model/search.ts'

/**
 * Keeps the folded text of each item as long as the item exists. Folding ten thousand items again
 * would take most of the time of a search. Items must be frozen.
 */
export function createTexts(): TextOf {
  const kept = new WeakMap<readonly string[], WeakMap<object, string>>()
  return (item, fields) => {
    let texts = kept.get(fields)
    if (!texts) {
      texts = new WeakMap()
      kept.set(fields, texts)
    }
    let text = texts.get(item)
    if (text === undefined) {
      text = foldedText(item, fields)
      texts.set(item, text)
    }
    return text
  }
}
