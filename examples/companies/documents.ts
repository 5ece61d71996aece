import type { Registry } from 'nounful'
import { explorer } from 'nounful/explorer'
import { type Layer, type OpenApiOptions, openApiAt } from 'nounful/openapi'
import * as sample from './sample.ts'

/** The parts of the document that the contract does not have. */
export const documentOptions: OpenApiOptions = {
  info: {
    title: 'Companies',
    version: '1.0.0',
    description: 'Employees, companies, and the customers and employees of each.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  examples: {
    companies: sample.companies[0] ?? {},
    employees: sample.employees[0] ?? {},
    employees_v2: sample.employees_v2[0] ?? {},
    customers: sample.customers[0] ?? {},
  },
}

/** Serves `/openapi.json` beside the api, and pages about every resource to browsers. */
export function documentLayers(registry: Registry): readonly Layer[] {
  const { title, description } = documentOptions.info
  return [
    // Its start page links the documents of the layers below.
    explorer(registry, { title, description }),
    openApiAt('/openapi.json', registry, documentOptions),
  ]
}
