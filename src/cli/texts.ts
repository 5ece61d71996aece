/** The help of each command: its description, and the text after its options. */
export const helpTexts = {
  nounful: {
    description:
      'RESTful, by nouns: explains an API of nounful, and checks servers against its convention.',
    details: `
A command without a module takes the one that package.json names, as in
"nounful": { "registry": "lib/api.ts" }, else registry.ts or contract.ts, here or in src/.

Examples:
  npx nounful routes
  npx nounful openapi registry.ts --out openapi.json --title 'My service'
  npx nounful explain 'DELETE /v1/employees?q=ann' registry.ts
  npx nounful check http://127.0.0.1:3000
  npx nounful doctor registry.ts
  npx nounful serve db.json
  npx nounful init my-api
  npx nounful snapshot registry.ts --out contract.json
  npx nounful diff git:origin/main:contract.json registry.ts
  npx nounful changes registry.ts v1 v2

Exit codes: 0 fine, 1 check, doctor, snapshot or diff found a problem, 2 wrong use.`,
  },
  serve: {
    summary: 'serve a JSON file as an API',
    description: 'serve a JSON file as an API: each array of objects in it is a collection',
    details: `
Writes go to the file before they are answered. Ids and formatting stay as they are. The file is
read again when you edit it, and no write overwrites your edit.

Without a file the command takes db.json, where you run it.

Examples:
  npx nounful serve --demo
  npx nounful serve db.json
  npx nounful serve db.json --port 4000 --read-only
  npx nounful serve db.json --delay 800 --fail 0.1
  npx nounful serve registry.ts

Exit codes: 0 stopped by a signal, 2 wrong use.`,
  },
  init: {
    summary: 'write a new project',
    description: 'write a new project: contract, tables, server and tests',
    details: `
The project keeps its data in a SQLite file. It needs Node 22.18 or later, which runs TypeScript as
it is. The command asks nothing, and changes no file that exists.

With --from db.json the project answers as "nounful serve db.json" does: the same paths, ids,
relations and parameters. Its first start loads the items of the file.

With --from a database, each table with a key of one column is a resource. It changes nothing there,
and names each table and column that it cannot serve. The file database.ts takes the address of a
server from DATABASE_URL.

With --auth jwt --tenants it is a whole service: tokens, tenants, roles, CORS, a log with ids,
metrics, health, a rate limit, a graceful stop, a Dockerfile, and the proof of isolation as a test.

Examples:
  npx nounful init my-api
  npx nounful init my-api --from db.json
  npx nounful init my-api --from shop.sqlite
  npx nounful init my-api --from postgres://localhost/shop
  npx nounful init my-api --auth jwt --tenants --database postgres

Exit codes: 0 written, 1 the database does not respond, 2 wrong use. Nothing is written then.`,
  },
  routes: {
    summary: 'list the operations of an API',
    description: 'list the operations of an API: path, method, kind, parameters, status',
    details: `
For a registry it lists the operations that the adapters support, for an API alone those of the
resources. Every path also supports HEAD (like GET) and OPTIONS, which the list leaves out.
On the standard error it advises "bounded: true" if DELETE at the top also deletes items below
parents, and warns of a sunset that has passed. ENDS shows the sunset of a deprecated operation.
Each resource of a version is a block that fits 80 columns. --wide prints one table.

Examples:
  npx nounful routes
  npx nounful routes registry.ts --wide
  npx nounful routes contract.ts#api --json

Exit codes: 0 fine, 2 wrong use.`,
  },
  openapi: {
    summary: 'write the OpenAPI document of an API',
    description: 'write the OpenAPI document of an API',
    details: `
Examples:
  npx nounful openapi registry.ts > openapi.json
  npx nounful openapi registry.ts --out openapi.json --title Notes --version 2.1.0
  npx nounful openapi registry.ts --out openapi.json --server https://api.example.com
  npx nounful openapi registry.ts --out v1.json --api-version v1

Exit codes: 0 fine, 2 wrong use.`,
  },
  explain: {
    summary: 'explain which rule decides the response to a request',
    description:
      'explain how nounful understands a request and which rule decides the response; runs nothing',
    details: `
A request passes checks in a fixed order. The first check that rejects it decides the response.
The command validates bodies, but calls no adapter, context or middleware: rows "call" show the
calls of adapters, and "depends on" marks a check whose result is up to them. A body is
application/json, which PATCH takes too, unless a header names another type; --header
'content-type:' leaves it undeclared.

Examples:
  npx nounful explain 'DELETE /v1/employees?q=ann' registry.ts
  npx nounful explain 'GET http://127.0.0.1:3000/v1/employees?sort=-name' registry.ts
  npx nounful explain /v1/employees/7 registry.ts
  npx nounful explain 'PATCH /v1/employees/7?dry_run=true' registry.ts --body '{"email":null}'
  npx nounful explain 'PUT /v1/employees/7' registry.ts --body @ann.json --header 'if-match: "3"'

Exit codes: 0 fine (with any response), 2 wrong use.`,
  },
  check: {
    summary: 'check a running server, in any language',
    description: 'check a running server, in any language, against the convention',
    details: `
It reports for each rule: kept, broken (with a curl command that shows it), or not applicable (with
the reason). The URL names a collection, or a server that lists its collections in OPTIONS * or in
its /openapi.json.

It only reads unless you pass --write. If a safe request changes data, the check stops and reports
that request. With --write it creates items, from --sample or as copies of an existing item, and
changes and deletes only these. Some requests could reach other items on a server that breaks the
rule: bulk updates, and deleting a collection. The check tries these below a parent that it created.
With --empty it tries them in every collection: you may lose every item there.

With --as twice and --write it proves isolation instead: it asks everything as one caller, with and
without items of the other, and compares the responses. --as-everything adds a caller who sees both.

A sample file holds a draft without its id, or one for each collection:
{ "/v1/employees": { "name": "Ann {n}" } }. The check replaces {n} by a different text each time.

Examples:
  npx nounful check http://127.0.0.1:3000/v1/employees
  npx nounful check http://127.0.0.1:3000 --collection '/v1/companies/{company_id}/customers' --write
  npx nounful check https://api.example.com --header 'authorization: Bearer …' --json
  npx nounful check http://127.0.0.1:3000 --write \\
    --as 'authorization: Bearer A' --as 'authorization: Bearer B'

Exit codes: 0 no rule is broken, 1 a rule is broken or an item may still exist, 2 wrong use or no
response.`,
  },
  doctor: {
    summary: 'compare the storage of a registry with its contract',
    description:
      'compare the storage of a registry with its contract, and print SQL that corrects it',
    details: `
It calls "ready" and "examine" of every adapter. Both only read. For each resource it prints whether
the storage fits, each mismatch with the SQL statement that corrects it, and advice: indexes,
collations, nullability, dates of another form, and "bounded: true". An adapter without "ready" is
"not checked".

Examples:
  npx nounful doctor registry.ts
  npx nounful doctor registry.ts --json

Exit codes: 0 everything fits (there may be advice), 1 something does not fit, 2 wrong use.`,
  },
  ddl: {
    summary: 'print the tables of a contract as SQL',
    description: 'print the tables of a contract, with keys and indexes, as SQL of one dialect',
    details: `
It prints a table for each stored resource: types and collations that sort as clients expect, keys,
foreign keys for references and parents, and an index for each order and filter. It opens no
database and runs nothing: give the output to your migrations. Of a registry it takes the names of
tables and columns, and of a contract the names of resources and fields.

Examples:
  npx nounful ddl contract.ts --dialect postgres
  npx nounful ddl registry.ts --dialect sqlite | sqlite3 data.sqlite

Exit codes: 0 printed, 2 wrong use.`,
  },
  snapshot: {
    summary: 'write the contract of a module as JSON',
    description: 'write the contract of a module as JSON, unless a change breaks clients',
    details: `
Without --out it prints the snapshot. With --out it compares the file with the module first. If a
change breaks clients, it shows a request that was fine and writes nothing. Accept such a change by
its fingerprint, with a reason. The snapshot keeps a log of what you accepted.

A validator that tells no JSON Schema needs the export "toJsonSchema" in the module: a function
(schema, direction) => JSON Schema.

Examples:
  npx nounful snapshot registry.ts --out contract.json
  npx nounful snapshot registry.ts --out contract.json --check
  npx nounful snapshot registry.ts --out contract.json \\
    --accept a3f8c21b9d04 --reason 'no client sends a longer name'
  npx nounful snapshot registry.ts --out contract.json --against git:origin/main:contract.json

Exit codes: 0 written, printed or up to date, 1 a change breaks clients or the file is old, 2 wrong
use.`,
  },
  diff: {
    summary: 'show which changes of a contract break clients',
    description: 'compare two contracts, or two OpenAPI documents, and show what breaks clients',
    details: `
A change is judged by what clients send and get within a version. BREAKING refuses a request that
was fine, or sends what the old contract excluded; "depends" may do so. Each breaking change shows a
request or a response. If the new side is a module, its validators confirm each request.

A side is a snapshot (contract.json), a module (registry.ts#name), an OpenAPI document as JSON, or a
file of a commit (git:origin/main:contract.json, relative to the working directory).

The accepted changes come from --accepted. By default they come from the file of the working copy
where the old side is a file of a commit, else from the new side if it is a snapshot. Only entries
that the old side does not have count.

Without sides it compares contract.json with the module, without the second one as well.

Examples:
  npx nounful diff
  npx nounful diff contract.json registry.ts
  npx nounful diff git:origin/main:contract.json registry.ts --format github
  npx nounful diff old.json new.json --strict --json

Exit codes: 0 nothing breaks, 1 a change breaks clients (with --strict: or may do so), 2 wrong
use.`,
  },
  changes: {
    summary: 'write the guide from one version to another',
    description: 'write the guide for clients that go from one version to another, as Markdown',
    details: `
The guide comes from the links of the views: which field is which, what is new, and which paths,
operations, sorting and filters are gone.

Examples:
  npx nounful changes registry.ts v1 v2
  npx nounful changes registry.ts v1 v2 --out docs/v1-to-v2.md

Exit codes: 0 fine, 2 wrong use.`,
  },
} as const
