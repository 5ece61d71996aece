// Registries and routers over so many collections, each with a list and its items.
import findMyWay from 'find-my-way'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { match } from 'path-to-regexp'
import { nounful } from './world.mjs'

/** The nouns of so many collections. */
export function nounsOf(size) {
  return Array.from({ length: size }, (_, place) => `noun${place}`)
}

const anything = {
  '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) },
}
const adapter = { list: () => [], read: ({ id }) => ({ id }) }

/** Ours. */
export function registryOf(nouns) {
  const { defineApi, defineRegistry, defineResource } = nounful
  const v1 = {}
  const adapters = {}
  for (const noun of nouns) {
    v1[`/${noun}`] = defineResource(noun, { schema: anything, plural: true })
    adapters[noun] = adapter
  }
  return defineRegistry(defineApi({ v1 })).adapters(adapters)
}

/** Other routers: how to make each, and how it finds a path. */
export const routers = {
  'find-my-way': (nouns) => {
    const router = findMyWay()
    for (const path of pathsOf(nouns)) router.on('GET', path, answer)
    return (path) => router.find('GET', path)
  },
  'hono, SmartRouter': (nouns) =>
    ofHono(new SmartRouter({ routers: [new RegExpRouter(), new TrieRouter()] }), nouns),
  'hono, RegExpRouter': (nouns) => ofHono(new RegExpRouter(), nouns),
  'hono, TrieRouter': (nouns) => ofHono(new TrieRouter(), nouns),
  'path-to-regexp, in a row': (nouns) => {
    const matches = pathsOf(nouns).map((path) => match(path))
    return (path) => firstOf(matches, path)
  },
}

function ofHono(router, nouns) {
  for (const path of pathsOf(nouns)) router.add('GET', path, answer)
  return (path) => router.match('GET', path)
}

function firstOf(matches, path) {
  for (const one of matches) {
    const found = one(path)
    if (found) return found
  }
}

function pathsOf(nouns) {
  return nouns.flatMap((noun) => [`/v1/${noun}`, `/v1/${noun}/:id`])
}

function answer() {}
