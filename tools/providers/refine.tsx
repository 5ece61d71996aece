// A small admin of refine, of plain HTML: tools/browser/admins.mjs tries it in Chromium.
import {
  type CrudFilter,
  Refine,
  useDeleteMany,
  useForm,
  useMany,
  useSelect,
  useTable,
  useUpdateMany,
} from '@refinedev/core'
import { type SubmitEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { refineDataProvider } from '../../src/refine.ts'

interface User {
  readonly id: string
  readonly name: string
}

interface Project {
  readonly id: string
  readonly name: string
  readonly owner_id: string
  readonly revision: number
}

const dataProvider = refineDataProvider({
  baseUrl: '/',
  version: 'v1',
  headers: { authorization: `Bearer ${document.body.dataset.token}` },
})

interface Field {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly fault?: string | undefined
  onChange(value: string): void
}

function TextField({ id, label, value, fault, onChange }: Field) {
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
      />
      <output id={`${id}-fault`}>{fault}</output>
    </p>
  )
}

function UserField({ id, label, value, fault, onChange }: Field) {
  const { options } = useSelect<User>({ resource: 'users', optionLabel: 'name' })
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-fault`}
      >
        <option value="">None</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <output id={`${id}-fault`}>{fault}</output>
    </p>
  )
}

interface Choice {
  readonly ids: readonly string[]
  choose(ids: readonly string[]): void
}

function Bulk({ ids, choose }: Choice) {
  const [owner, setOwner] = useState('')
  const update = useUpdateMany()
  const remove = useDeleteMany()
  const chosen = { resource: 'projects', ids: [...ids] }
  const options = { onSuccess: () => choose([]) }
  const change = () => update.mutate({ ...chosen, values: { owner_id: owner } }, options)
  return (
    <fieldset disabled={ids.length === 0}>
      <legend>{`${ids.length} selected`}</legend>
      <UserField id="new-owner" label="New owner" value={owner} onChange={setOwner} />
      <button type="button" onClick={change}>
        Change owner
      </button>
      <button type="button" onClick={() => remove.mutate(chosen, options)}>
        Delete
      </button>
      <p role="alert">{update.mutation.error?.message ?? remove.mutation.error?.message}</p>
    </fieldset>
  )
}

interface Rows extends Choice {
  readonly projects: readonly Project[]
  readonly isDescending: boolean
  sort(): void
  edit(id: string): void
}

function Rows({ projects, isDescending, sort, edit, ids, choose }: Rows) {
  const owners = useMany<User>({
    resource: 'users',
    ids: [...new Set(projects.map(({ owner_id }) => owner_id))],
    queryOptions: { enabled: projects.length > 0 },
  })
  const names = new Map(owners.result.data.map(({ id, name }) => [id, name]))
  const toggle = (id: string) =>
    choose(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id])
  return (
    <table>
      <thead>
        <tr>
          <th>Select</th>
          <th aria-sort={isDescending ? 'descending' : 'ascending'}>
            <button type="button" onClick={sort}>
              Name
            </button>
          </th>
          <th>Owner</th>
        </tr>
      </thead>
      <tbody>
        {projects.map(({ id, name, owner_id }) => (
          <tr key={id}>
            <td>
              <input
                type="checkbox"
                aria-label={`Select ${name}`}
                checked={ids.includes(id)}
                onChange={() => toggle(id)}
              />
            </td>
            <td>
              <a
                href={`#${id}`}
                onClick={(event) => {
                  event.preventDefault()
                  edit(id)
                }}
              >
                {name}
              </a>
            </td>
            <td>{names.get(owner_id)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Projects({ edit }: Pick<Rows, 'edit'>) {
  const [ids, choose] = useState<readonly string[]>([])
  const [name, setName] = useState('')
  const [owner, setOwner] = useState('')
  const { currentPage, pageCount, result, setCurrentPage, setFilters, setSorters, sorters } =
    useTable<Project>({
      resource: 'projects',
      pagination: { pageSize: 5 },
      sorters: { initial: [{ field: 'name', order: 'asc' }] },
    })
  const filterBy = (field: string, operator: 'eq' | 'contains', value: string) => {
    const filter: CrudFilter = { field, operator, value: value === '' ? undefined : value }
    setFilters([filter], 'merge')
    setCurrentPage(1)
  }
  const { data, total } = result
  const isDescending = sorters[0]?.order === 'desc'
  return (
    <>
      <h1>Projects</h1>
      <TextField
        id="name"
        label="Name contains"
        value={name}
        onChange={(value) => {
          setName(value)
          filterBy('name', 'contains', value)
        }}
      />
      <UserField
        id="owner"
        label="Owned by"
        value={owner}
        onChange={(value) => {
          setOwner(value)
          filterBy('owner_id', 'eq', value)
        }}
      />
      <Bulk ids={ids} choose={choose} />
      <Rows
        projects={data}
        isDescending={isDescending}
        sort={() => setSorters([{ field: 'name', order: isDescending ? 'asc' : 'desc' }])}
        edit={edit}
        ids={ids}
        choose={choose}
      />
      <nav>
        <button
          type="button"
          disabled={currentPage === 1}
          onClick={() => setCurrentPage(currentPage - 1)}
        >
          Previous
        </button>
        <output id="pages">{`Page ${currentPage} of ${pageCount}, ${total} in total`}</output>
        <button
          type="button"
          disabled={currentPage >= pageCount}
          onClick={() => setCurrentPage(currentPage + 1)}
        >
          Next
        </button>
      </nav>
    </>
  )
}

function ProjectEdit({ id, close }: { readonly id: string; close(): void }) {
  const { onFinish, query, mutation } = useForm<Project>({
    ...{ resource: 'projects', action: 'edit', id, redirect: false },
  })
  const [edits, setEdits] = useState<Partial<Project>>({})
  // Refine reads the record again by itself, also after a refusal. The revision that the user has
  // seen stays the condition, until they ask for the new one.
  const [seen, setSeen] = useState<Project>()
  const record = seen ?? query?.data?.data
  if (record === undefined) return null
  const { revision } = record
  const { name, owner_id } = { ...record, ...edits }
  const faultAt = (field: keyof Project) => mutation.error?.errors?.[field]?.toString()
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    onFinish({ ...edits, revision }).then(close, () => undefined)
  }
  const change = (field: 'name' | 'owner_id') => (value: string) => {
    setSeen(record)
    setEdits({ ...edits, [field]: value })
  }
  const readAgain = () => query?.refetch().then(() => setSeen(undefined))
  return (
    <>
      <h1>Project</h1>
      <p role="alert">{mutation.error?.message}</p>
      <form onSubmit={save} noValidate>
        <TextField
          {...{ id: 'name', label: 'Name', value: name, fault: faultAt('name') }}
          onChange={change('name')}
        />
        <UserField
          {...{ id: 'owner', label: 'Owner', value: owner_id, fault: faultAt('owner_id') }}
          onChange={change('owner_id')}
        />
        <button type="submit">Save</button>
        <button type="button" onClick={readAgain}>
          Read again
        </button>
      </form>
    </>
  )
}

function Admin() {
  const [id, edit] = useState<string>()
  if (id === undefined) return <Projects edit={edit} />
  return <ProjectEdit id={id} close={() => edit(undefined)} />
}

createRoot(document.body).render(
  <Refine
    dataProvider={dataProvider}
    resources={[{ name: 'projects' }]}
    options={{ disableTelemetry: true }}
  >
    <Admin />
  </Refine>,
)
