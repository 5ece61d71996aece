import { type ProblemCode, problemStatuses } from './convention.ts'

// The titles that are not the code in words. Apart from the statuses: a client needs no titles.
const titles: { readonly [code: string]: string } = {
  bad_percent_encoding: 'Bad percent-encoding',
  uri_too_long: 'URI too long',
  sort_invalid: 'Invalid sort',
  sort_unknown_field: 'Unknown sort field',
  sort_duplicate_field: 'Duplicate sort field',
  json_invalid: 'Invalid JSON',
  json_too_deep: 'JSON too deep',
  json_duplicate_key: 'Duplicate JSON key',
  json_forbidden_key: 'Forbidden JSON key',
  bulk_too_large: 'Too many items',
} satisfies Partial<Record<ProblemCode, string>>

/** Every problem with its status and title. `model/checks.ts` says where each one occurs. */
export const problems: {
  readonly [Code in ProblemCode]: {
    readonly status: (typeof problemStatuses)[Code]
    readonly title: string
  }
} = /* @__PURE__ */ withTitles()

function withTitles(): typeof problems {
  const rows = Object.entries(problemStatuses).map(([code, status]) => {
    const words = code.replaceAll('_', ' ')
    return [code, { status, title: titles[code] ?? words.charAt(0).toUpperCase() + words.slice(1) }]
  })
  return Object.fromEntries(rows)
}
