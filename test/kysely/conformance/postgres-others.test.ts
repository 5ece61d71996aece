import { postgresJsDialect } from '../../support/postgres-js.ts'
import { describeStores, postgres, slow, variants } from './stores.ts'

describeStores([
  ...variants('postgres', postgres),
  {
    name: 'PostgreSQL through postgres.js',
    engine: 'postgres',
    types: { ...postgres, json: 'json', list: 'text[]' },
    options: { served: postgresJsDialect },
  },
  {
    name: 'PostgreSQL with the order of English',
    engine: 'postgres',
    types: postgres,
    gaps: slow,
    options: {
      clause: "template template0 locale_provider icu icu_locale 'en-US' locale 'C.UTF-8'",
    },
  },
  {
    name: 'PostgreSQL with the order of English over that of C',
    engine: 'postgres',
    types: postgres,
    gaps: slow,
    options: { clause: "template template0 locale_provider icu icu_locale 'en-US' locale 'C'" },
  },
])
