import { foldedText, type TextOf } from '../model/search.ts'

/**
 * Keeps what searches look into, as long as the items are there: to fold ten thousand again for every search would take most of its
 * time. Items have to be frozen.
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
