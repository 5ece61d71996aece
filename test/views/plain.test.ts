import fc from 'fast-check'
import { defineResource } from 'nounful'
import { expect, test } from 'vitest'
import { bodyOf, type Fields, type Level, levelsOf, tape } from '../support/generated-views.ts'
import { ask, serviceOf } from '../support/things.ts'
import '../support/properties.ts'

const runs = { numRuns: Number(process.env.RUNS ?? 60) }
const timeout = 15_000 + runs.numRuns * 500

test('a plain view answers as a resource', { timeout }, () =>
  fc.assert(
    fc.asyncProperty(tape, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), alike),
    runs,
  ),
)

async function alike(choices: readonly number[], steps: readonly number[]) {
  const { resource, fields, declaration } = levelsOf(choices, true).at(-1) as Level
  const { fields: _, hidden: __, ...own } = declaration as Fields
  const mirror = Reflect.apply(defineResource, null, [resource.name, own])
  const one = serviceOf(resource)
  const two = serviceOf(mirror)
  const bodies = fc.sample(bodyOf({ resource, fields, declaration }), {
    numRuns: 4,
    seed: steps[0] ?? 0,
  })
  for (const step of steps) {
    const id = `i${step % 3}`
    const body = bodies[step % 4] ?? {}
    const [field = 'id'] = resource.sortable
    const lines: readonly (readonly [string, unknown?])[] = [
      ['POST /v1/things', { ...body, id }],
      [`PUT /v1/things/${id}`, body],
      [`PATCH /v1/things/${id}`, body],
      ['PUT /v1/things', [{ ...body, id }]],
      [
        'POST /v1/things',
        [
          { ...body, id },
          { ...body, id: 'other' },
        ],
      ],
      [`GET /v1/things?sort=-${field}&limit=2`],
      [`DELETE /v1/things/${id}`],
      [`PUT /v1/things/${id}`, { ...body, [field]: [7] }],
      ['GET /v1/things?q=ada'],
      ['OPTIONS /v1/things'],
    ]
    const [line, sent] = lines[step % lines.length] ?? ['GET /v1/things']
    const answers = [await ask(one, line, sent), await ask(two, line, sent)]
    // A view gives the members in the order of its schema.
    expect([line, sent, answers[0]]).toEqual([line, sent, answers[1]])
  }
}
