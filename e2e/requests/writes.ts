import { having, json, type Table } from './row.ts'

const gita = '{"name":"Gita Rao","birthdate":"1991-04-09"}'
const ada = '{"name":"Ada King","birthdate":"1988-12-10"}'

/** Requests that change items, and well-formed ones that must not. */
export const writes: readonly Table[] = [
  {
    name: 'create',
    rows: [
      ['POST', '/v1/employees', '201', json(gita)],
      ['POST', '/employees/', '201', json(gita)],
      ['POST', '/v1/companies/002/employees', '201', json(gita)],
      ['POST', '/v1/companies/002/customers', '201', json('{"name":"Zo\\u00eb 😀 \\"q\\" <b>"}')],
      ['POST', '/v1/notes', '201', json('{"id":"x y/ü","text":"of its own id","tags":["a","ß"]}')],
      ['POST', '/v1/notes', '201', json('{"text":"in chunks"}'.split(''))],
      ['POST', '/v1/notes', '201', json('{"text":"expected"}', ['Expect', '100-continue'])],
      ['GET', '/v1/notes?limit=5&sort=-text', '200'],
    ],
  },
  {
    name: 'update and delete',
    rows: [
      ['PUT', '/v1/employees/001', '200', json(ada)],
      ['PUT', '/v1/companies/001/employees/002', '200', json(ada)],
      ['GET', '/v1/employees', '200'],
      ['DELETE', '/v1/employees/006', '200'],
      ['DELETE', '/v1/employees/006', '404 not_found'],
      ['DELETE', '/v1/companies/001/customers/002', '200'],
      ['DELETE', '/v1/companies/001', '409 conflict'],
      ['DELETE', '/v1/companies/003', '200'],
      ['GET', '/v1/companies/003/employees', '404 parent_not_found'],
    ],
  },
  {
    name: 'If-Match',
    rows: [
      ['PUT', '/v1/notes/a', '409 precondition_failed', json('{"text":"n"}', ['If-Match', '"7"'])],
      ['PUT', '/v1/notes/a', '200', json('{"text":"new"}', ['If-Match', '"1"'])],
      ['PUT', '/v1/notes/a', '200', json('{"text":"newer","weight":1.5}', ['If-Match', '*'])],
      ['GET', '/v1/notes/a', '200'],
      ['DELETE', '/v1/notes/b', '409 precondition_failed', having(['If-Match', '"2", "3"'])],
      ['DELETE', '/v1/notes/b', '200', having(['If-Match', '"x", "1"'])],
      ['PUT', '/v1/employees/001', '409 precondition_failed', json(ada, ['If-Match', '"1"'])],
      [
        'PUT',
        '/v1/notes/a',
        '409 precondition_failed',
        json('{"text":"n"}', ['If-None-Match', '*']),
      ],
    ],
  },
  {
    name: 'bulks',
    rows: [
      ['PUT', '/v1/employees', '200', json('[]')],
      [
        'PUT',
        '/v1/employees',
        '200',
        json(
          '[{"id":"005","name":"E","birthdate":"1990-01-31"},{"id":"004","name":"D","birthdate":"1985-09-02"}]',
        ),
      ],
      ['GET', '/v1/employees', '200'],
      [
        'PUT',
        '/v1/employees',
        '404 not_found',
        json(
          '[{"id":"005","name":"lost","birthdate":"1990-01-31"},{"id":"z","name":"Z","birthdate":"1990-01-01"}]',
        ),
      ],
      [
        'PUT',
        '/v1/notes',
        '409 conflict',
        json('[{"id":"a","text":"lost","revision":3},{"id":"c","text":"😀 emoji","revision":4}]'),
      ],
      [
        'PUT',
        '/v1/notes',
        '409 precondition_failed',
        json('[{"id":"a","text":"lost","revision":3},{"id":"c","text":"lost","revision":1}]'),
      ],
      ['GET', '/v1/employees/005', '200'],
      ['GET', '/v1/notes/a', '200'],
      [
        'PUT',
        '/v1/notes',
        '200',
        json('[{"id":"c","text":"kept","revision":4},{"id":"a","text":"kept too","revision":3}]'),
      ],
      [
        'PUT',
        '/v1/employees',
        '422 validation_failed',
        json(
          '[{"id":"005","name":1},{"id":"005","name":"x","birthdate":"1990-01-01"},{"name":"y"}]',
        ),
      ],
      ['PUT', '/v1/companies/001/employees', '404 not_found', json(`[${withId('005', ada)}]`)],
    ],
  },
  {
    name: 'deleteAll',
    rows: [
      ['DELETE', '/v1/notes', '409 too_many_affected', having(['Prefer', 'max-affected=1'])],
      ['GET', '/v1/notes/count', '200'],
      ['DELETE', '/v1/companies/001/customers', '200', having(['Prefer', 'max-affected=1'])],
      ['DELETE', '/v1/companies/002/employees', '200'],
      ['DELETE', '/v1/companies/nobody/employees', '404 parent_not_found'],
      ['GET', '/v1/employees', '200'],
      ['DELETE', '/v1/notes', '200'],
      ['GET', '/v1/notes', '200'],
      ['DELETE', '/v1/companies', '409 conflict'],
    ],
  },
  {
    name: 'refused by the declaration',
    rows: [
      ['POST', '/v1/employees', '422 validation_failed', json('{}')],
      ['POST', '/v1/employees', '422 validation_failed', json('null')],
      ['POST', '/v1/employees', '422 validation_failed', json('[5]')],
      ['POST', '/v1/notes', '422 reserved_id', json('{"id":"first","text":"x"}')],
      ['POST', '/v1/notes', '201', json('{"id":"taken","text":"x"}')],
      ['POST', '/v1/notes', '409 conflict', json('{"id":"taken","text":"y"}')],
      ['POST', '/v1/notes', '422 validation_failed', json('{"text":"a\\u0000"}')],
      ['POST', '/v1/notes', '422 validation_failed', json('{"text":"\\ud800"}')],
      ['PUT', '/v1/employees/001', '409 id_mismatch', json(withId('002', ada))],
      ['PUT', '/v1/employees/nobody', '404 not_found', json(ada)],
      [
        'POST',
        '/v1/companies/001/employees',
        '422 validation_failed',
        json('{"name":"x","birthdate":"1990-01-01","company_id":"002"}'),
      ],
      [
        'POST',
        '/v1/employees',
        '422 validation_failed',
        json('{"name":"x","birthdate":"1990-01-01","company_id":"nobody"}'),
      ],
    ],
  },
]

function withId(id: string, item: string): string {
  return item.replace('{', `{"id":"${id}",`)
}
