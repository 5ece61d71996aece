import { describeStores, mariadb, sameIds, slow, variants } from './stores.ts'

describeStores([
  ...variants('mariadb', mariadb),
  {
    name: 'MariaDB with the collation it comes with',
    engine: 'mariadb',
    types: { ...mariadb, id: 'varchar(255)', text: 'longtext' },
    gaps: {
      ...slow,
      'keeps ids that clients choose': sameIds,
      'orders chosen ids by code point': sameIds,
      'filters find many by id': sameIds,
      'keeps ids of 255 characters': sameIds,
    },
  },
])
