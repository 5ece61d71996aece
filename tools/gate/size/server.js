// The size of a server as one bundle: the doors share chunks, so their sizes do not add up.
export * as fetch from '../../../dist/fetch.js'
export * as main from '../../../dist/index.js'
export * as node from '../../../dist/node.js'
