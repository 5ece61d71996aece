import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
}

function drawingOf(name: string): string {
  return readFileSync(join(root, `docs/drawings/${name}-light.svg`), 'utf8')
}

/** Returns the texts of a class, in the order of the drawing. */
function textsIn(drawing: string, kind: 'room' | 'door' | 'step'): string[] {
  const pattern = new RegExp(`<text[^>]* class="${kind}"[^>]*>([^<]*)</text>`, 'g')
  return [...drawing.matchAll(pattern)].map(([, text = '']) => text)
}

/** Returns the box of each room: the rectangle before its name. */
function boxesIn(drawing: string): Map<string, Box> {
  const pattern =
    /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^\n]*\n<text[^\n]* class="room"[^>]*>([^<]*)/g
  return new Map(
    [...drawing.matchAll(pattern)].map(([, x, y, width, name = '']) => {
      const left = Number(x)
      return [name, { left, right: left + Number(width), top: Number(y) }]
    }),
  )
}

/** Returns the other rooms whose files a room's files import. */
function importsOf(room: string): Set<string> {
  const paths = readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
  const texts = paths
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'src', room, path), 'utf8'))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/ from '(?:\.\.\/)+([a-z]+)\//g)].map(([, name = '']) => name),
  )
  return new Set(names.filter((name) => folders.includes(name) && name !== room))
}

describe('the drawing of the house', () => {
  const house = drawingOf('house')

  test('shows each folder of src/', () => {
    expect(textsIn(house, 'room').toSorted()).toEqual(folders.toSorted())
  })

  test('shows each door of the package', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const paths = Object.keys(exports)
      .filter((path) => path !== './package.json')
      .map((path) => (path === '.' ? 'nounful' : path.slice(1)))
    expect(textsIn(house, 'door').toSorted()).toEqual(['$ nounful', ...paths].toSorted())
  })

  test('puts each room above the rooms that it imports', () => {
    const boxes = boxesIn(house)
    const faults = folders.flatMap((room) =>
      [...importsOf(room)]
        .filter((imported) => {
          const [box, below] = [boxes.get(room), boxes.get(imported)]
          if (!box || !below) return true
          const isBeneath = below.left <= box.left && box.right <= below.right
          const isPartly = below.left < box.right && box.left < below.right
          return box.top >= below.top || !(isBeneath || isPartly)
        })
        .map((imported) => `${room} imports ${imported}`),
    )
    expect(faults).toEqual([])
    expect(importsOf('server').size).toBe(3)
  })
})

describe('the drawing of the way', () => {
  const steps = textsIn(drawingOf('way'), 'step')
  const handle = readFileSync(join(root, 'src/server/handle.ts'), 'utf8')

  test('names functions that src/server/handle.ts uses', () => {
    expect(steps.length).toBeGreaterThan(9)
    expect(steps.filter((name) => !handle.includes(name))).toEqual([])
  })

  test('names them in the order of their use', () => {
    const begin = handle.indexOf('const read =')
    const tables = handle.slice(begin, handle.indexOf('return [', begin))
    const words = tables.match(/\w+/g) ?? []
    const inside = [...new Set(words)].filter((word) => steps.includes(word))
    expect(inside.length).toBeGreaterThan(5)
    expect(steps.filter((name) => inside.includes(name))).toEqual(inside)
  })
})
