// The same server without `defineView`: a bundle leaves out what makes views.
export * as fetch from '../../../dist/fetch.js'
export { defineApi, defineRegistry, defineResource, handle } from '../../../dist/index.js'
export * as node from '../../../dist/node.js'
