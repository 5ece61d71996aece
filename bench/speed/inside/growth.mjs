// Registries and routers over so many collections, each with a list and its items.
import express from 'express'
import fastify from 'fastify'
import findMyWay from 'find-my-way'
import { H3 } from 'h3'
import { Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { match } from 'path-to-regexp'
import { answers } from '../../support/process.ts'
import { anything } from '../contenders/work/registry.mjs'
import { flat, timeInTurn } from './turns.mjs'
import { nounful } from './world.mjs'

const nounsOf = (size) => Array.from({ length: size }, (_, place) => `noun${place}`)
const pathsOf = (nouns) => nouns.flatMap((noun) => [`/v1/${noun}`, `/v1/${noun}/:id`])
const adapter = { list: () => [], read: ({ id }) => ({ id }) }

function registryOf(nouns) {
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
const routers = {
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
  for (const match of matches) {
    const result = match(path)
    if (result) return result
  }
}

function answer() {}

const frameworks = { hono: () => new Hono(), h3: () => new H3(), express, fastify }

/** Defines collections by a function of this name. */
function define(name, nouns) {
  if (name === 'nounful') return registryOf(nouns)
  if (name === 'find-my-way') return routers[name](nouns)
  const app = frameworks[name]()
  for (const path of pathsOf(nouns)) app.get(path, answer)
  return app
}

answers({ growth, milliseconds })

/** Nanoseconds to find a path, by name, a value a round. */
async function growth({ size, ...effort }) {
  const nouns = nounsOf(size)
  // Spread over all of them, in no order.
  const nounAt = (place) => nouns[(place * 7919) % size]
  const paths = Array.from({ length: 1000 }, (_, place) => flat(`/v1/${nounAt(place)}/${place}`))
  const requests = paths.map((url) => ({ method: 'GET', url }))
  const registry = registryOf(nouns)
  for (const request of requests) {
    const { status } = nounful.handle(request, registry)
    if (status !== 200) throw new Error(`${request.url}: ${status}`)
  }
  const others = Object.entries(routers).map(([name, routerOf]) => {
    const call = routerOf(nouns)
    if (!call(paths[0])) throw new Error(`${name} does not find ${paths[0]}`)
    return { name, call, inputs: paths }
  })
  const { parseRequest, handle } = nounful
  const ours = Object.entries({ parse: parseRequest, handle }).map(([name, find]) => {
    const call = (request) => find(request, registry)
    return { name: `nounful, ${name}`, call, inputs: requests }
  })
  return timeInTurn([...ours, ...others], effort)
}

let kept

/** Milliseconds to define so many collections. */
function milliseconds({ name, size }) {
  const nouns = nounsOf(size)
  const start = performance.now()
  kept = define(name, nouns)
  return kept && performance.now() - start
}
