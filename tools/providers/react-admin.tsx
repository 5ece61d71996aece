// A small admin of react-admin, of plain HTML: tools/browser/admins.mjs tries it in Chromium.
import {
  CoreAdmin,
  EditBase,
  FilterLiveForm,
  Form,
  LinkBase,
  ListBase,
  type RaRecord,
  Resource,
  useDeleteMany,
  useEditContext,
  useGetList,
  useInput,
  useListContext,
  useReference,
  useUpdateMany,
} from 'ra-core'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { reactAdminDataProvider } from '../../src/react-admin.ts'

interface Project extends RaRecord<string> {
  readonly name: string
  readonly owner_id: string
}

const dataProvider = reactAdminDataProvider({
  baseUrl: '/',
  version: 'v1',
  headers: { authorization: `Bearer ${document.body.dataset.token}` },
})

function TextField({ source, label }: { readonly source: string; readonly label: string }) {
  const { field, fieldState, id } = useInput({ source })
  const { error } = fieldState
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        {...field}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-fault`}
      />
      <output id={`${id}-fault`}>{error?.message}</output>
    </p>
  )
}

function Users() {
  const { data = [] } = useGetList('users', { sort: { field: 'name', order: 'ASC' } })
  return data.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
}

function UserField({ label }: { readonly label: string }) {
  const { field, fieldState, id } = useInput({ source: 'owner_id' })
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <select id={id} {...field} aria-describedby={`${id}-fault`}>
        <option value="">None</option>
        <Users />
      </select>
      <output id={`${id}-fault`}>{fieldState.error?.message}</output>
    </p>
  )
}

function UserName({ id }: { readonly id: string }) {
  const { referenceRecord } = useReference({ reference: 'users', id })
  return referenceRecord?.name
}

function Rows() {
  const { data = [], onToggleItem, selectedIds, setSort, sort } = useListContext<Project>()
  const isDescending = sort.order === 'DESC'
  return (
    <table>
      <thead>
        <tr>
          <th>Select</th>
          <th aria-sort={isDescending ? 'descending' : 'ascending'}>
            <button
              type="button"
              onClick={() => setSort({ field: 'name', order: isDescending ? 'ASC' : 'DESC' })}
            >
              Name
            </button>
          </th>
          <th>Owner</th>
        </tr>
      </thead>
      <tbody>
        {data.map(({ id, name, owner_id }) => (
          <tr key={id}>
            <td>
              <input
                type="checkbox"
                aria-label={`Select ${name}`}
                checked={selectedIds.includes(id)}
                onChange={() => onToggleItem(id)}
              />
            </td>
            <td>
              <LinkBase to={`/projects/${id}`}>{name}</LinkBase>
            </td>
            <td>
              <UserName id={owner_id} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Pages() {
  const { hasNextPage, hasPreviousPage, page, perPage, setPage, total = 0 } = useListContext()
  const pageCount = Math.ceil(total / perPage)
  return (
    <nav>
      <button type="button" disabled={!hasPreviousPage} onClick={() => setPage(page - 1)}>
        Previous
      </button>
      <output id="pages">{`Page ${page} of ${pageCount}, ${total} in total`}</output>
      <button type="button" disabled={!hasNextPage} onClick={() => setPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}

function Bulk() {
  const { onUnselectItems, selectedIds: ids } = useListContext()
  const [owner, setOwner] = useState('')
  const options = { onSuccess: () => onUnselectItems() }
  const [update, updated] = useUpdateMany<Project, Error>('projects', undefined, options)
  const [remove, removed] = useDeleteMany<Project, Error>('projects', undefined, options)
  const change = () => update('projects', { ids, data: { owner_id: owner } })
  return (
    <fieldset disabled={ids.length === 0}>
      <legend>{`${ids.length} selected`}</legend>
      <label htmlFor="new-owner">New owner</label>
      <select id="new-owner" value={owner} onChange={({ target }) => setOwner(target.value)}>
        <option value="">None</option>
        <Users />
      </select>
      <button type="button" onClick={change}>
        Change owner
      </button>
      <button type="button" onClick={() => remove('projects', { ids })}>
        Delete
      </button>
      <p role="alert">{updated.error?.message ?? removed.error?.message}</p>
    </fieldset>
  )
}

function Projects() {
  return (
    <ListBase perPage={5} sort={{ field: 'name', order: 'ASC' }}>
      <h1>Projects</h1>
      <FilterLiveForm debounce={false}>
        <TextField source="name:contains" label="Name contains" />
        <UserField label="Owned by" />
      </FilterLiveForm>
      <Bulk />
      <Rows />
      <Pages />
    </ListBase>
  )
}

// A record that is read again keeps what the user typed. A new object would reset the form.
const resetOptions = { keepDirtyValues: true }

function ProjectForm() {
  const { refetch } = useEditContext()
  return (
    <Form resetOptions={resetOptions} noValidate>
      <TextField source="name" label="Name" />
      <UserField label="Owner" />
      <button type="submit">Save</button>
      <button type="button" onClick={() => refetch()}>
        Read again
      </button>
    </Form>
  )
}

function ProjectEdit() {
  const [fault, setFault] = useState<string>()
  const onError = ({ message }: Error) => setFault(message)
  return (
    <EditBase mutationMode="pessimistic" mutationOptions={{ onError }}>
      <h1>Project</h1>
      <p role="alert">{fault}</p>
      <ProjectForm />
    </EditBase>
  )
}

createRoot(document.body).render(
  <CoreAdmin dataProvider={dataProvider} disableTelemetry>
    <Resource name="projects" list={Projects} edit={ProjectEdit} />
  </CoreAdmin>,
)
