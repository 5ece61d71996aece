import type { CallerName } from '../../examples/tenants/sample.ts'

/**
 * A request, with the status and what it finds: the body of 200, the code of a problem, the issues
 * of 422. `{user}` is an id of the attacked tenant, `{my.user}` one of the attacker's.
 */
export type Attack = [
  caller: CallerName,
  line: string,
  body: unknown,
  status: number,
  found: unknown,
]

const gone = 'not_found'
const orphan = 'parent_not_found'
const mine = { name: 'Mine', owner_id: '{my.user}' }
const task = { title: 'Mine' }
const user = { name: 'Mine', email: 'mine@mail.example' }
const unknownAt = (...pointers: string[]) => pointers.map((at) => [at, 'reference_not_found'])
const foreignAt = (...pointers: string[]) => pointers.map((at) => [at, 'scope_mismatch'])

/** The requests of an attacker of tenant globex. */
// biome-ignore format: a row stays a line
export const attacks: Attack[] = [
  ['gia', 'GET /tenants/{tenant}',                                  undefined, 404, gone],
  ['gia', 'GET /users/{user}',                                      undefined, 404, gone],
  ['gia', 'PUT /users/{user}',                                      user, 404, gone],
  ['gia', 'PATCH /users/{user}',                                    { name: 'x' }, 404, gone],
  ['gia', 'DELETE /users/{user}',                                   undefined, 404, gone],
  ['gia', 'GET /projects/{project}',                                undefined, 404, gone],
  ['gia', 'HEAD /projects/{project}',                               undefined, 404, undefined],
  ['gia', 'GET /projects/{project}?include=owner&fields=name',      undefined, 404, gone],
  ['gia', 'PUT /projects/{project}',                                mine, 404, gone],
  ['gia', 'PUT /projects/{project}',                                { ...mine, owner_id: '{user}' }, 404, gone],
  ['gia', 'PUT /projects/{project}?dry_run=true',                   mine, 404, gone],
  ['gia', 'PATCH /projects/{project}',                              { name: 'x' }, 404, gone],
  ['gia', 'PATCH /projects/{project}',                              {}, 404, gone],
  ['gia', 'PATCH /projects/{project}?dry_run=true',                 { name: 'x' }, 404, gone],
  ['gia', 'DELETE /projects/{project}',                             undefined, 404, gone],

  ['gia', 'PUT /projects',   [{ ...mine, id: '{my.project}' }, { ...mine, id: '{project}' }], 404, gone],
  ['gia', 'PATCH /projects', [{ id: '{my.project}', name: 'x' }, { id: '{project}' }],        404, gone],
  ['gia', 'PATCH /users',    [{ id: '{my.user}', name: 'x' }, { id: '{user}', name: 'x' }],   404, gone],
  ['gia', 'PATCH /projects/{my.project}/tasks', [{ id: '{my.task}', title: 'x' }, { id: '{task}', title: 'x' }], 404, gone],

  ['gia', 'GET /projects/{project}/tasks',                          undefined, 404, orphan],
  ['gia', 'GET /projects/{project}/tasks?q=plan&limit=1',           undefined, 404, orphan],
  ['gia', 'GET /projects/{project}/tasks/count',                    undefined, 404, orphan],
  ['gia', 'GET /projects/{project}/tasks/first',                    undefined, 404, orphan],
  ['gia', 'GET /projects/{project}/tasks/last?sort=title',          undefined, 404, orphan],
  ['gia', 'POST /projects/{project}/tasks',                         task, 404, orphan],
  ['gia', 'POST /projects/{project}/tasks',                         [task, task], 404, orphan],
  ['gia', 'PUT /projects/{project}/tasks',                          [{ ...task, id: '{task}' }], 404, orphan],
  ['gia', 'PATCH /projects/{project}/tasks',                        [{ ...task, id: '{task}' }], 404, orphan],
  ['gia', 'DELETE /projects/{project}/tasks',                       undefined, 404, orphan],
  ['gia', 'GET /projects/{project}/tasks/{task}',                   undefined, 404, orphan],
  ['gia', 'PUT /projects/{project}/tasks/{task}',                   task, 404, orphan],
  ['gia', 'PATCH /projects/{project}/tasks/{task}',                 task, 404, orphan],
  ['gia', 'DELETE /projects/{project}/tasks/{task}',                undefined, 404, orphan],
  ['gia', 'GET /projects/{my.project}/tasks/{task}',                undefined, 404, gone],
  ['gia', 'PUT /projects/{my.project}/tasks/{task}',                task, 404, gone],
  ['gia', 'PATCH /projects/{my.project}/tasks/{task}',              task, 404, gone],
  ['gia', 'DELETE /projects/{my.project}/tasks/{task}',             undefined, 404, gone],

  ['gia', 'GET /projects?id={project}&id={user}',                   undefined, 200, []],
  ['gia', 'GET /projects?owner_id={user}&sort=-name',               undefined, 200, []],
  ['gia', 'GET /projects/count?owner_id={user}',                    undefined, 200, { count: 0 }],
  ['gia', 'GET /projects/first?owner_id={user}',                    undefined, 404, 'empty_collection'],
  ['gia', 'GET /users?email={mail}',                                undefined, 200, []],
  ['gia', 'GET /users/count?q={mail}',                              undefined, 200, { count: 0 }],
  ['gia', 'GET /users/last?q={mail}',                               undefined, 404, 'empty_collection'],
  ['gia', 'GET /projects/{my.project}/tasks?assignee_id={user}',    undefined, 200, []],
  ['gia', 'GET /projects?tenant_id={tenant}',                       undefined, 400, 'unknown_parameter'],
  ['gia', 'GET /projects?sort=tenant_id',                           undefined, 400, 'sort_unknown_field'],

  ['gia', 'POST /projects',                                         { ...mine, owner_id: '{user}' }, 422, unknownAt('/owner_id')],
  ['gia', 'POST /projects?dry_run=true',                            { ...mine, lead_id: '{user}' }, 422, unknownAt('/lead_id')],
  ['gia', 'POST /projects',                                         [mine, { ...mine, owner_id: '{user}' }], 422, unknownAt('/1/owner_id')],
  ['gia', 'PUT /projects/{my.project}',                             { ...mine, owner_id: '{user}' }, 422, unknownAt('/owner_id')],
  ['gia', 'PATCH /projects/{my.project}',                           { lead_id: '{user}' }, 422, unknownAt('/lead_id')],
  ['gia', 'PATCH /projects',                                        [{ id: '{my.project}', lead_id: '{user}' }], 422, unknownAt('/0/lead_id')],
  ['gia', 'POST /projects/{my.project}/tasks',                      { ...task, assignee_id: '{user}' }, 422, unknownAt('/assignee_id')],
  ['gia', 'PATCH /projects/{my.project}/tasks/{my.task}',           { assignee_id: '{user}' }, 422, unknownAt('/assignee_id')],

  ['gia', 'POST /projects',                                         { ...mine, tenant_id: '{tenant}' }, 422, foreignAt('/tenant_id')],
  ['gia', 'POST /projects',                                         [mine, { ...mine, tenant_id: '{tenant}' }], 422, foreignAt('/1/tenant_id')],
  ['gia', 'POST /users',                                            { ...user, tenant_id: '{tenant}' }, 422, foreignAt('/tenant_id')],
  ['gia', 'PUT /projects/{my.project}',                             { ...mine, tenant_id: '{tenant}' }, 422, foreignAt('/tenant_id')],
  ['gia', 'PATCH /projects/{my.project}',                           { tenant_id: '{tenant}' }, 422, foreignAt('/tenant_id')],
  ['gia', 'PATCH /projects',                                        [{ id: '{my.project}', tenant_id: '{tenant}' }], 422, foreignAt('/0/tenant_id')],
  ['gia', 'PATCH /projects/{my.project}/tasks/{my.task}',           { project_id: '{project}' }, 422, foreignAt('/project_id')],
  ['gia', 'POST /projects/{my.project}/tasks',                      { ...task, project_id: '{project}' }, 422, foreignAt('/project_id')],

  ['gus', 'DELETE /projects/{project}',                             undefined, 403, 'forbidden'],
  ['gus', 'PATCH /users/{user}',                                    { name: 'x' }, 403, 'forbidden'],
  ['gia', 'PATCH /tenants/{tenant}',                                { title: 'x' }, 403, 'forbidden'],
  ['gia', 'POST /tenants',                                          { id: '{tenant}', title: 'x' }, 403, 'forbidden'],
  ['gia', 'DELETE /tenants',                                        undefined, 403, 'forbidden'],
  ['gia', 'PATCH /templates/launch',                                { title: 'x' }, 403, 'forbidden'],
  ['bot', 'DELETE /projects/{project}/tasks/{task}',                undefined, 403, 'forbidden'],
  ['bot', 'POST /projects',                                         { ...mine, tenant_id: '{tenant}' }, 403, 'forbidden'],
  ['bot', 'POST /projects/{project}/tasks',                         task, 404, orphan],
]
