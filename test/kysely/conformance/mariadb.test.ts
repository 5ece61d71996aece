import { describeStores, mariadb } from './stores.ts'

describeStores([{ name: 'MariaDB', engine: 'mariadb', types: mariadb }])
