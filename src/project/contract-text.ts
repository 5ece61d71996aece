import { singularNounOf } from '../convention/noun.ts'
import type { OperationKind } from '../convention/operations.ts'
import {
  commentLines,
  type ListPlace,
  listLines,
  literal,
  memberName,
  objectLines,
} from './code.ts'
import type {
  ProjectField,
  ProjectId,
  ProjectMember,
  ProjectModel,
  ProjectResource,
  ScalarKind,
  ValueType,
} from './model.ts'

/** Writes `contract.ts`: a schema and a resource for each noun, and the paths of version 1. */
export function contractText({ resources, mounts }: ProjectModel): string {
  const names = namesFor(resources)
  const declared = resources.flatMap((resource) => {
    const resourceNames = names.get(resource.noun)
    return resourceNames === undefined ? [] : [...declarationLines(resource, resourceNames), '']
  })
  const paths = mounts.map(
    ({ path, noun }) => `    ${literal(path)}: ${names.get(noun)?.constant ?? noun},`,
  )
  const lines = [
    "import { defineApi, defineResource } from 'nounful'",
    "import { z } from 'zod'",
    '',
    ...declared,
    ...['export const api = defineApi({', '  v1: {', ...paths, '  },', '})'],
  ]
  return `${lines.join('\n')}\n`
}

function declarationLines(resource: ProjectResource, names: ResourceNames): readonly string[] {
  const inner = resource.fields.flatMap((field) => innerLines(field, names))
  const fields = resource.fields.flatMap((field) => fieldLines(field, resource, names))
  return [
    ...inner,
    ...[`const ${names.item} = z.strictObject({`, ...fields, '})'],
    ...(hasNewItem(resource) ? newItemLines(resource, names) : []),
    '',
    ...resource.advice.flatMap((sentence) => commentLines(sentence)),
    ...resourceLines(resource, names),
  ]
}

// An object and a long list of values have names of their own, so that each field stays a line.
function innerLines({ name, type }: ProjectField, { inner }: ResourceNames): readonly string[] {
  const before = `const ${inner.get(name)} = `
  if (type.kind === 'structure') {
    const place = { before: `${before}z.looseObject(`, after: ')' }
    return [...objectLines(type.members.map(memberText), place), '']
  }
  const values = longValuesOf(type)
  if (values === undefined) return []
  return [...listLines(values, { before: `${before}z.enum(`, after: ')' }), '']
}

function hasInnerName({ type }: ProjectField): boolean {
  return type.kind === 'structure' || longValuesOf(type) !== undefined
}

function memberText(member: ProjectMember): string {
  return `${memberName(member.name)}: ${schemaText(member.type)}${absenceText(member)}`
}

function absenceText({ isNullable, isOptional }: ProjectMember): string {
  if (isNullable) return isOptional ? '.nullish()' : '.nullable()'
  return isOptional ? '.optional()' : ''
}

function longValuesOf(type: ValueType): readonly string[] | undefined {
  const inner = type.kind === 'list' ? type.element : type
  const isLong = inner.kind === 'enumeration' && JSON.stringify(inner.values).length >= 60
  return isLong ? inner.values : undefined
}

function fieldLines(
  field: ProjectField,
  { id }: ProjectResource,
  { inner }: ResourceNames,
): readonly string[] {
  const { name, type, comment } = field
  const comments = comment === undefined ? [] : commentLines(comment, '  ')
  if (name === 'id') return [...comments, `  id: ${idTexts[id.kind].item},`]
  const innerName = inner.get(name)
  const innerText = type.kind === 'list' ? `z.array(${innerName})` : innerName
  const schema = innerName === undefined ? schemaText(type) : innerText
  return [...comments, `  ${memberName(name)}: ${schema}${absenceText(field)},`]
}

/** The fields that a body does not hold, and those that it may lack though each item has them. */
function storageFieldsOf({ id, fields }: ProjectResource) {
  const bodies = fields.map((field) => (field.name === 'id' ? { ...field, ...id } : field))
  const refused = bodies.filter(({ inBody }) => inBody === 'refused')
  const optional = bodies.filter(({ inBody, isOptional }) => inBody === 'optional' && !isOptional)
  return { refused, optional }
}

const writes: readonly OperationKind[] = ['create', 'update', 'updateMany']

function hasNewItem(resource: ProjectResource): boolean {
  const { refused, optional } = storageFieldsOf(resource)
  const isWritten = resource.offers?.some((kind) => writes.includes(kind)) ?? true
  return isWritten && refused.length + optional.length > 0
}

// What `create` takes: an item without the fields that only the storage sets.
function newItemLines(resource: ProjectResource, names: ResourceNames): readonly string[] {
  const { refused, optional } = storageFieldsOf(resource)
  // The types of omit() and partial() take no field with the name of a member of all objects.
  if (resource.fields.some(({ name }) => name in Object.prototype))
    return memberLines(resource, names)
  const members = (list: readonly ProjectField[]) =>
    list.map(({ name }) => `${memberName(name)}: true`)
  const call = (method: string, list: readonly ProjectField[], place: ListPlace): string[] =>
    list.length === 0
      ? [place.before]
      : objectLines(members(list), { before: `${place.before}.${method}(`, after: ')' })
  const omitted = call('omit', refused, { before: `const ${names.newItem} = ${names.item}` })
  const last = omitted.at(-1) ?? ''
  return [...omitted.slice(0, -1), ...call('partial', optional, { before: last })]
}

function memberLines(resource: ProjectResource, { item, newItem }: ResourceNames): string[] {
  const { refused, optional } = storageFieldsOf(resource)
  const has = (list: readonly ProjectField[], field: ProjectField): boolean =>
    list.some(({ name }) => name === field.name)
  const lines = resource.fields
    .filter((field) => !has(refused, field))
    .map((field) => {
      const member = memberName(field.name)
      const schema = `${item}.shape${member === field.name ? `.${member}` : `[${member}]`}`
      return `  ${member}: ${schema}${has(optional, field) ? '.optional()' : ''},`
    })
  return [`const ${newItem} = z.strictObject({`, ...lines, '})']
}

function resourceLines(resource: ProjectResource, { constant, item, newItem }: ResourceNames) {
  const { noun, id, isPlural, references, offers, without, ownedBy, revision } = resource
  const list = (name: string, values: readonly string[] | undefined): readonly string[] =>
    values === undefined || values.length === 0
      ? []
      : listLines(values, { before: `  ${name}: `, after: ',' })
  const { refused, optional } = storageFieldsOf(resource)
  // The contract says of these already who sets them.
  const setNames = ['id', revision, ...(ownedBy ?? [])]
  const namesOf = (fields: readonly ProjectField[]) =>
    fields.map(({ name }) => name).filter((name) => !setNames.includes(name))
  const members = references.map(({ field, to, as }) => {
    const target = as === undefined ? literal(to) : `{ to: ${literal(to)}, as: ${literal(as)} }`
    return `${memberName(field)}: ${target}`
  })
  return [
    `export const ${constant} = defineResource(${literal(noun)}, {`,
    `  schema: ${item},`,
    ...(hasNewItem(resource) ? [`  create: ${newItem},`] : []),
    ...idLines(id),
    ...(isPlural ? ['  plural: true,'] : []),
    ...(ownedBy?.length === 0 ? ['  ownedBy: [],'] : list('ownedBy', ownedBy)),
    ...(ownedBy?.length && id.kind === 'counted' ? ["  ids: 'counted',"] : []),
    ...list('readOnly', namesOf(refused)),
    ...list('filled', namesOf(optional)),
    ...(revision === undefined ? [] : [`  revision: ${literal(revision)},`]),
    ...list('sortable', resource.sortable),
    ...list('searchable', resource.searchable),
    ...list('filterable', resource.filterable),
    ...(members.length === 0 ? [] : objectLines(members, { before: '  references: ', after: ',' })),
    ...list('offers', offers),
    ...list('without', without),
    '})',
  ]
}

function idLines({ kind }: ProjectId): readonly string[] {
  const { path } = idTexts[kind]
  return path === undefined ? [] : [`  id: ${path},`]
}

/** The schemas of an id in an item, and in a path; `undefined` for any text there. */
const idTexts: Readonly<
  Record<ProjectId['kind'], { readonly item: string; readonly path: string | undefined }>
> = {
  counted: { item: 'z.int()', path: 'z.coerce.number().pipe(z.int())' },
  number: { item: 'z.number()', path: 'z.coerce.number()' },
  text: { item: 'z.string()', path: undefined },
  uuid: { item: 'z.uuid()', path: 'z.uuid()' },
  mixed: { item: 'z.string()', path: undefined },
}

/** Returns the text of a schema. */
export function schemaText(type: ValueType): string {
  switch (type.kind) {
    case 'text':
      return type.maxLength === undefined ? 'z.string()' : `z.string().max(${type.maxLength})`
    case 'decimal':
      return `z.string().regex(/^-?\\d+${type.scale > 0 ? `(\\.\\d{1,${type.scale}})?` : ''}$/)`
    case 'enumeration':
      return `z.enum([${type.values.map(literal).join(', ')}])`
    case 'list':
      return `z.array(${schemaText(type.element)})`
    case 'structure':
      return `z.looseObject({ ${type.members.map(memberText).join(', ')} })`
    case 'union':
      return `z.union([${type.members.map(schemaText).join(', ')}])`
    default:
      return scalarTexts[type.kind]
  }
}

const scalarTexts: Readonly<Record<ScalarKind, string>> = {
  whole: 'z.int()',
  number: 'z.number()',
  digits: 'z.string().regex(/^-?\\d+(\\.\\d+)?$/)',
  boolean: 'z.boolean()',
  moment: 'z.iso.datetime({ offset: true })',
  date: 'z.iso.date()',
  time: 'z.iso.time()',
  uuid: 'z.uuid()',
  email: 'z.email()',
  url: 'z.url()',
  base64: 'z.base64()',
  object: 'z.record(z.string(), z.json())',
  array: 'z.array(z.json())',
  null: 'z.null()',
  json: 'z.json()',
}

/** The names of a resource in code: of its constant, of its items and of new items. */
interface ResourceNames {
  /** `blogPosts` of `blog-posts`. */
  readonly constant: string
  /** `BlogPost`. */
  readonly item: string
  /** `NewBlogPost`. */
  readonly newItem: string
  /** By field, of schemas that stand apart: `BlogPostAuthor`. */
  readonly inner: ReadonlyMap<string, string>
}

// The words of the language, of the globals, and of the files themselves, in which no name stands.
const reservedNames =
  'api await break case catch class const continue createClient db debugger default defineApi ' +
  'defineRegistry defineResource delete do else enum export extends false finally for function ' +
  'if implements import in instanceof interface kyselyAdapter let new null package private ' +
  'protected public registry return static super switch this throw true try typeof var void ' +
  'while with yield z arguments eval undefined Infinity NaN'

/** Returns the names of nouns in code. No two are the same, and none is a word of the language. */
function namesFor(resources: readonly ProjectResource[]): ReadonlyMap<string, ResourceNames> {
  const usedNames = new Set(reservedNames.split(' '))
  const freeName = (name: string): string => {
    const numbers = Array.from(usedNames, (_, place) => `${name}${place + 2}`)
    const unique = [name, ...numbers].find((each) => !usedNames.has(each)) ?? name
    usedNames.add(unique)
    return unique
  }
  const constants = resources.map(({ noun }) => freeName(camelCase(noun)))
  const items = resources.map(({ noun }) => {
    const item = freeName(pascalCase(singularNounOf(noun)))
    return { item, newItem: freeName(`New${item}`) }
  })
  return new Map(
    resources.map(({ noun, fields }, place) => {
      const { item, newItem } = items[place] ?? { item: noun, newItem: noun }
      const inner = fields
        .filter(hasInnerName)
        .map(({ name }) => [name, freeName(`${item}${pascalCase(name)}`)] as const)
      return [noun, { constant: constants[place] ?? noun, item, newItem, inner: new Map(inner) }]
    }),
  )
}

function camelCase(noun: string): string {
  const name = pascalCase(noun)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Returns a name in Pascal case: `blog-posts` → `BlogPosts`. */
function pascalCase(noun: string): string {
  return noun
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
