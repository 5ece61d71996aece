import { d1Dialect } from 'nounful/kysely'
import { d1Of } from '../../support/d1.ts'
import { plainDialect } from '../../support/plain.ts'
import { remoteDialect } from '../../support/remote.ts'
import { asciiOnly, describeStores, sameIds, slow, sqlite, variants } from './stores.ts'

describeStores([
  ...variants('sqlite', sqlite),
  {
    name: 'SQLite that ignores case',
    engine: 'sqlite',
    types: { ...sqlite, id: 'text collate nocase', text: 'text collate nocase' },
    gaps: {
      ...slow,
      'keeps ids that clients choose': sameIds,
      'orders chosen ids by code point': sameIds,
      'filters find many by id': sameIds,
    },
  },
  {
    name: "SQLite through another's dialect",
    engine: 'sqlite',
    types: sqlite,
    gaps: {
      ...slow,
      'search ignores case beyond ASCII': asciiOnly,
      'search takes every sigma for one': asciiOnly,
      'search takes ß for SS': asciiOnly,
      'parts of text ignore case': asciiOnly,
      'filters find parts of members': asciiOnly,
      'filters of members agree with the core': asciiOnly,
      'filters agree with the core': asciiOnly,
      'count agrees with the core': asciiOnly,
      'groups agree with the core': asciiOnly,
    },
    options: { sqlite: (file) => plainDialect(file) },
  },
  {
    name: 'SQLite behind a service',
    engine: 'sqlite',
    types: sqlite,
    gaps: {
      ...slow,
      'search ignores case beyond ASCII': asciiOnly,
      'search takes every sigma for one': asciiOnly,
      'search takes ß for SS': asciiOnly,
      'parts of text ignore case': asciiOnly,
      'filters find parts of members': asciiOnly,
      'filters of members agree with the core': asciiOnly,
      'filters agree with the core': asciiOnly,
      'count agrees with the core': asciiOnly,
      'groups agree with the core': asciiOnly,
    },
    options: { sqlite: (file) => remoteDialect(String(file.location())) },
  },
  {
    name: 'D1',
    engine: 'sqlite',
    types: sqlite,
    gaps: {
      'search ignores case beyond ASCII': asciiOnly,
      'search takes every sigma for one': asciiOnly,
      'search takes ß for SS': asciiOnly,
      'parts of text ignore case': asciiOnly,
      'filters find parts of members': asciiOnly,
      'filters of members agree with the core': asciiOnly,
      'filters agree with the core': asciiOnly,
      'count agrees with the core': asciiOnly,
      'groups agree with the core': asciiOnly,
      'search takes many long words': 'D1 takes 100 parameters a statement: one a word and field',
    },
    options: { sqlite: (file) => d1Dialect(d1Of(file)) },
  },
])
