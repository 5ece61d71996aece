import { type HttpResponse, handle } from 'nounful'
import { type CallerName, createSample, tokensOf } from '../../examples/tenants/sample.ts'
import { openTenants, type TenantService } from '../../examples/tenants/service.ts'
import { openLogin } from '../../examples/tenants/tokens.ts'

/** The ids of a tenant and of its first items. */
export type Ids = Readonly<Record<'tenant' | 'user' | 'project' | 'task' | 'mail', string>>

/** The example of tenants with its sample, in memory. */
export interface Tenants extends TenantService {
  readonly acme: Ids
  readonly globex: Ids
  /** Sends a request: `ask('gia', 'PATCH /users/7', { name: 'x' })`. */
  ask(caller: CallerName, line: string, body?: unknown, headers?: object): Promise<HttpResponse>
  /** Lists the rows of all tables. */
  rows(): unknown
}

const login = await openLogin()
/** The tokens of the callers. */
export const tokens = await tokensOf(login)

/** Opens the example. */
export async function openSample(): Promise<Tenants> {
  const service = await openTenants(':memory:', login.keys)
  const { registry, file } = service
  await createSample(registry, tokens)
  const idsOf = (tenant: string, name: string): Ids => {
    const idIn = (table: string, where: string): string =>
      String(file.prepare(`select id from ${table} where ${where}`).get()?.id)
    const mail = `${name}@mail.example`
    const user = idIn('users', `email = '${mail}'`)
    const project = idIn('projects', `tenant_id = '${tenant}'`)
    return { tenant, mail, user, project, task: idIn('tasks', `project_id = '${project}'`) }
  }
  return {
    ...service,
    acme: idsOf('acme', 'ann'),
    globex: idsOf('globex', 'gia'),
    ask: async (caller, line, body, more) => {
      const [method = '', path = ''] = line.split(' ')
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const headers = { authorization: `Bearer ${tokens[caller]}`, ...type, ...more }
      const text = body === undefined ? undefined : JSON.stringify(body)
      return handle({ method, url: `/v1${path}`, headers, body: text }, registry)
    },
    rows: () => {
      const tables = ['tenants', 'templates', 'users', 'projects', 'tasks']
      return tables.map((table) => file.prepare(`select * from ${table} order by id`).all())
    },
  }
}
