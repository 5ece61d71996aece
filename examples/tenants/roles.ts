import { type Middleware, type OperationKind, operations, problem } from 'nounful'
import type { Caller } from './callers.ts'

type Right = 'read' | 'write' | 'delete'
type Role = Caller['role']

/** The strongest right of each role. A role decides about kinds of operation, never about items. */
// biome-ignore format: one table
const rights: Record<Role, Readonly<Record<string, Right>>> = {
  member:   { tenants: 'read',   users: 'read',   projects: 'write',  tasks: 'delete', templates: 'read' },
  admin:    { tenants: 'read',   users: 'delete', projects: 'delete', tasks: 'delete', templates: 'read' },
  service:  { tenants: 'read',   users: 'read',   projects: 'read',   tasks: 'write',  templates: 'read' },
  operator: { tenants: 'delete', users: 'delete', projects: 'delete', tasks: 'delete', templates: 'delete' },
}

const strength: Record<Right, number> = { read: 1, write: 2, delete: 3 }

/** Refuses an operation that the role of the caller does not have: 403, the same for each id. */
export const byRole: Middleware<{ readonly caller: Caller }> = (operation, { caller }, next) => {
  const right = rights[caller.role][operation.resource.base.name]
  const needed = rightFor(operation.kind)
  if (right === undefined || strength[right] < strength[needed]) throw problem('forbidden')
  return next()
}

function rightFor(kind: OperationKind): Right {
  if (operations[kind].safe) return 'read'
  return operations[kind].method === 'DELETE' ? 'delete' : 'write'
}
