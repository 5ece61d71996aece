import { expect, test } from 'vitest'
import { figuresOf } from './figures.ts'
import { read } from './snippets.ts'

const plain = (document: string): string => read(document).replaceAll(/\s+/g, ' ')
const mean = (section: string, name: string): string =>
  String(figuresOf(section, name)['geometric mean'])
const page = plain('docs/speed.md')

test('README.md tells the mean of bench/speed/RESULTS.md', () => {
  const [ours, fastify, express] = ['nounful', 'fastify', 'express'].map((name) =>
    mean('Pipeline', name),
  )
  expect(plain('README.md')).toContain(
    `a request costs ${ours} times the CPU of a server by hand on \`node:http\`. ` +
      `Fastify costs less (${fastify} times), Express more (${express} times).`,
  )
})

test('docs/speed.md tells the figures of sockets and fetch', () => {
  const sockets = (name: string): string => mean('Loopback', name)
  expect(page).toContain(`nounful sends ${sockets('nounful')} times as many responses`)
  expect(page).toContain(
    `Fastify sends ${sockets('fastify')} times as many, Hono ${sockets('hono')}.`,
  )
  expect(page).toContain(`nounful costs ${mean('Fetch', 'nounful')} times as much`)
  expect(page).toContain(`Hono costs ${mean('Fetch', 'hono')} times as much`)
})

test('docs/speed.md tells the goals that are met', () => {
  const [, met, all] = /^(\d+) of (\d+) are met\.$/m.exec(read('bench/speed/RESULTS.md')) ?? []
  expect(page).toContain(`nounful meets ${met} of the ${all} goals.`)
})
