// The requests to every host, below its prefix, in order: a row sees the effects of earlier rows.
const json = { 'content-type': 'application/json' }
const ann = { authorization: 'Bearer ann' }
const bob = { authorization: 'Bearer bob' }

const get = (name, target, headers = ann) => ({ name, method: 'GET', target, headers })
const send = (name, method, target, body, headers = {}) => {
  return { name, method, target, headers: { ...ann, ...json, ...headers }, body }
}
const ask = (name, method, target, headers = {}) => {
  return { name, method, target, headers: { ...ann, ...headers } }
}

export const rows = [
  get('list', '/v1/notes'),
  get('list without a version', '/notes'),
  get('list with a slash', '/v1/notes/'),
  get('page with Link', '/v1/notes?sort=-text&limit=1'),
  get('search', '/v1/notes?q=milk'),
  get('read', '/v1/notes/1'),
  get('read an escaped id', '/v1/notes/%31'),
  get('first', '/v1/notes/first'),
  get('last', '/v1/notes/last?sort=text'),
  get('count', '/v1/notes/count'),
  get('whom the host knows', '/v1/users'),
  get('another whom the host knows', '/v1/users', bob),
  get('nobody: 401', '/v1/users', {}),
  ask('not allowed: 403', 'DELETE', '/v1/notes/1', bob),
  send('create', 'POST', '/v1/notes', '{"id":"3","text":"Zoë 😀"}'),
  send('create with an id to escape', 'POST', '/v1/notes', '{"id":"a/b é","text":"Escaped"}'),
  get('read an id with a slash', '/v1/notes/a%2Fb%20%C3%A9'),
  send('create twice: 409', 'POST', '/v1/notes', '{"id":"4","text":"Buy milk"}'),
  send('create half an item: 422', 'POST', '/v1/notes', '{"text":""}'),
  send('broken JSON', 'POST', '/v1/notes', '{"text":'),
  send('a key twice', 'POST', '/v1/notes', '{"text":"a","text":"Buy milk"}'),
  send('a forbidden key', 'POST', '/v1/notes', '{"text":"Buy milk","__proto__":{}}'),
  send('a body that is text', 'POST', '/v1/notes', '"text"'),
  send('no body', 'POST', '/v1/notes', ''),
  send('another media type', 'POST', '/v1/notes', '{"text":"d"}', { 'content-type': 'text/plain' }),
  send('a form', 'POST', '/v1/notes', 'text=e', {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  send('a body of 2 MiB', 'POST', '/v1/notes', JSON.stringify({ text: 'x'.repeat(2 ** 21) })),
  send('update', 'PUT', '/v1/notes/3', '{"id":"3","text":"Zoë"}'),
  send('update another: 409', 'PUT', '/v1/notes/3', '{"id":"1","text":"f"}'),
  send('update many', 'PUT', '/v1/notes', '[{"id":"3","text":"g"},{"id":"1","text":"h"}]'),
  send('update nothing', 'PUT', '/v1/notes', '[]'),
  send('a body where none belongs', 'DELETE', '/v1/notes/3', '{}'),
  ask('delete', 'DELETE', '/v1/notes/3'),
  ask('too many to delete: 409', 'DELETE', '/v1/notes', { prefer: 'max-affected=1' }),
  ask('HEAD', 'HEAD', '/v1/notes'),
  ask('HEAD of what is not there', 'HEAD', '/v1/notes/9'),
  ask('OPTIONS', 'OPTIONS', '/v1/notes'),
  send('PATCH: 405', 'PATCH', '/v1/notes/1', '{}'),
  ask('PROPFIND: 405', 'PROPFIND', '/v1/notes'),
  ask('POST to an item: 405', 'POST', '/v1/notes/1'),
  get('not found', '/v1/notes/9'),
  get('an unknown parameter', '/v1/notes?bogus=1'),
  get('a repeated parameter', '/v1/notes?limit=1&limit=2'),
  get('a broken escape', '/v1/notes/%zz'),
  get('dots', '/v1/notes/..'),
  get('escaped dots', '/v1/notes/%2e%2e'),
  get('a long target', `/v1/notes?q=${'x'.repeat(5000)}`),
  get('a fault of the adapter: 500', '/v1/readings/broken'),
  get('unavailable: 503', '/v1/readings/busy'),
  get('too often: 429', '/v1/readings/asked'),
  ask('delete all', 'DELETE', '/v1/notes'),
  get('nothing left', '/v1/notes/first'),
]

/** Requests outside the api, below the prefix and beside it: the host answers them itself. */
export const foreign = [
  get('the prefix alone', '/'),
  get('two slashes', '/v1//notes'),
  get('an unknown resource', '/v1/nothing'),
  get('an unknown version', '/v9/notes'),
]

export const beside = get('beside the api', '/nothing-here')

/** A streamed list, of which no process holds more than a little. */
export const long = get('a long list', '/v1/readings')
