import { expect, test } from 'vitest'
import { serviceText } from '../../src/project/registry-text.ts'
import { field, resource } from './fields.ts'

test('each resource has an adapter, with the columns of other names', () => {
  const name = field('name', { kind: 'text' }, { column: 'full name' })
  const written = serviceText({
    title: 'blog',
    resources: [
      resource('blog-posts', [], { table: 'blog.posts' }),
      resource('users', [name], { key: ['id'] }),
    ],
    mounts: [],
  })
  expect(written).toContain(`  return defineRegistry(api).adapters({
    'blog-posts': kyselyAdapter(db, { table: 'blog.posts' }),
    users: kyselyAdapter(db, {
      table: 'users',
      columns: { name: 'full name' },
      key: ['id'],
    }),
  })
`)
})
