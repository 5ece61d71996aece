/** What `nounful --help` says first. */
export const about =
  'RESTful, by nouns: looks into an api that is declared with nounful, and tries servers against its convention.'

/** What it says last. */
export const afterAbout = `
Examples:
  npx nounful routes registry.ts
  npx nounful openapi registry.ts --out openapi.json --title 'My service'
  npx nounful explain 'DELETE /v1/employees?q=ann' registry.ts
  npx nounful check http://127.0.0.1:3000

Exit codes: 0 fine, 1 something was found wrong, 2 wrong use.`

/** Of the argument that names a module. */
export const moduleArgument =
  'a JavaScript or TypeScript module that exports a registry or an api; registry.ts#name picks an export'

/** Of `--json`. */
export const json = 'write JSON, for machines'

/** What `routes` does. */
export const routes = 'list the operations of an api: path, method, kind, parameters, status'

/** More of it. */
export const afterRoutes = `
Of a registry it lists what its adapters support, of an api alone all that the resources offer.
HEAD (as GET) and OPTIONS are answered everywhere, and are not listed.
It advises "bounded: true", on the standard error, where DELETE at the top also deletes the items below parents.

Examples:
  npx nounful routes registry.ts
  npx nounful routes contract.ts#api --json

Exit codes: 0 fine, 2 wrong use.`

/** What `openapi` does. */
export const openapi = 'write the OpenAPI document of an api'

/** More of it. */
export const afterOpenApi = `
Examples:
  npx nounful openapi registry.ts > openapi.json
  npx nounful openapi registry.ts --out openapi.json --title Notes --version 2.1.0 --server https://api.example.com

Exit codes: 0 fine, 2 wrong use.`

/** What `explain` does. */
export const explain =
  'tell how a request is understood and which rule decides its answer, without running it'

/** More of it. */
export const afterExplain = `
A request goes through checks in a fixed order, and the first that finds a fault decides the answer. Adapters, context and
middleware are not called: what they would be asked is told. Bodies are validated. A body is application/json unless a header
says otherwise; --header 'content-type:' leaves it undeclared.

Examples:
  npx nounful explain 'DELETE /v1/employees?q=ann' registry.ts
  npx nounful explain 'GET http://127.0.0.1:3000/v1/employees?sort=-name' registry.ts
  npx nounful explain /v1/employees/7 registry.ts
  npx nounful explain 'PUT /v1/employees/7' registry.ts --body @employee.json --header 'if-match: "3"'

Exit codes: 0 fine (whatever the answer would be), 2 wrong use.`

/** What `check` does. */
export const check = 'try a running server, of any make and in any language, against the convention'

/** More of it. */
export const afterCheck = `
Rule by rule it tells whether it is kept, broken (with the request that shows it, for curl), or not applicable (with the reason).
The url names a collection, or a server that tells its collections: on OPTIONS * or in its /openapi.json.

It only reads, unless --write is given. Where a request that only reads changes something, the check stops, and tells which one.
With --write it creates items, from --sample or as copies of one that is there, and changes and deletes these only. What could reach other items on a server that breaks the rule (bulk updates, deleting a whole collection)
is tried below a parent that it has made for itself. With --empty it is tried in every collection: everything in it may be lost.

A sample file holds a draft without its id, or one for each collection: { "/v1/employees": { "name": "Ann {n}" } }. {n} becomes a
text that is different each time.

Examples:
  npx nounful check http://127.0.0.1:3000/v1/employees
  npx nounful check http://127.0.0.1:3000 --collection '/v1/companies/{company_id}/customers' --write
  npx nounful check https://api.example.com --header 'authorization: Bearer …' --json

Exit codes: 0 nothing is broken, 1 a rule is broken or something could not be removed, 2 wrong use or no answer.`
