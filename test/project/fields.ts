import type { ProjectField, ProjectResource, ValueType } from '../../src/project/model.ts'

/** Makes a field that each item and each body has. */
export function field(
  name: string,
  type: ValueType,
  options: Partial<ProjectField> = {},
): ProjectField {
  return { name, type, isNullable: false, isOptional: false, inBody: 'required', ...options }
}

/** Makes a resource with counted ids. */
export function resource(
  noun: string,
  fields: readonly ProjectField[],
  options: Partial<ProjectResource> = {},
): ProjectResource {
  return {
    ...{ noun, table: noun, isPlural: false, id: { kind: 'counted', inBody: 'refused' } },
    fields: [field('id', { kind: 'whole' }), ...fields],
    ...{ sortable: [], searchable: [], filterable: [], references: [], advice: [], ...options },
  }
}
