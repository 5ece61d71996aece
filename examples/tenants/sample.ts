import { handle, type Registry } from 'nounful'
import type { Caller } from './callers.ts'
import type { Login } from './tokens.ts'

/** The callers of the example: each has a token of its own. */
export const callers = {
  ann: { sub: 'ann', role: 'admin', tenant_id: 'acme' },
  abe: { sub: 'abe', role: 'member', tenant_id: 'acme' },
  gia: { sub: 'gia', role: 'admin', tenant_id: 'globex' },
  gus: { sub: 'gus', role: 'member', tenant_id: 'globex' },
  bot: { sub: 'globex-ci', role: 'service', tenant_id: 'globex' },
  ops: { sub: 'ops', role: 'operator' },
} as const satisfies Record<string, Caller>

/** The name of a caller. */
export type CallerName = keyof typeof callers

/** Makes a token for each caller. */
export async function tokensOf(login: Login): Promise<Record<CallerName, string>> {
  const made = Object.entries(callers).map(
    async ([name, caller]) => [name, await login.tokenOf(caller)] as const,
  )
  return Object.fromEntries(await Promise.all(made)) as Record<CallerName, string>
}

/** Creates two tenants, and items of each, through the service itself. */
export async function createSample(
  registry: Registry,
  tokens: Readonly<Record<CallerName, string>>,
): Promise<void> {
  const as = (name: CallerName) => (path: string, body: object) =>
    post(registry, { path, body, token: tokens[name] })
  const operator = as('ops')
  await operator('/v1/templates', { id: 'launch', title: 'Launch' })
  for (const [id, title, name] of [
    ['acme', 'Acme', 'ann'],
    ['globex', 'Globex', 'gia'],
  ] as const) {
    await operator('/v1/tenants', { id, title })
    const admin = as(name)
    const user = await admin('/v1/users', { name, email: `${name}@mail.example` })
    const other = await admin('/v1/users', { name: `${name} jr`, email: `${name}.jr@mail.example` })
    const project = await admin('/v1/projects', {
      name: `Launch of ${title}`,
      owner_id: user.id,
      lead_id: other.id,
      template_id: 'launch',
    })
    const tasks = [
      { title: `Plan of ${title}`, assignee_id: user.id },
      { title: `Budget of ${title}`, assignee_id: other.id, status: 'doing' },
    ]
    for (const task of tasks) await admin(`/v1/projects/${project.id}/tasks`, task)
  }
}

interface Posting {
  readonly path: string
  readonly body: object
  readonly token: string
}

async function post(
  registry: Registry,
  { path: url, body, token }: Posting,
): Promise<{ readonly id: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await handle({ method: 'POST', url, headers, body }, registry)
  if (response.status === 201) return response.body as { readonly id: string }
  throw new Error(`POST ${url} is ${response.status}: ${JSON.stringify(response.body)}`)
}
