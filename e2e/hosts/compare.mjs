/** Returns the response of a mounted server: only `Location` and `Link` have the prefix. */
export function mounted({ status, headers, body }, prefix) {
  const { location, link } = headers
  return {
    status,
    headers: {
      ...headers,
      ...(location && { location: prefix + location }),
      ...(link && { link: link.replace('<', `<${prefix}`) }),
    },
    body,
  }
}

/** Lists the differences from the expected response; `seen` collects the host's own headers. */
export function differences(given, expected, { adds = [], lacks = [], seen }) {
  const told = []
  if (given.status !== expected.status) told.push(`status ${given.status}, not ${expected.status}`)
  for (const name of new Set([...Object.keys(given.headers), ...Object.keys(expected.headers)])) {
    const [there, here] = [given.headers[name], expected.headers[name]]
    if (there === here) continue
    const isItsOwn = (there === undefined ? lacks : adds).includes(name)
    if (isItsOwn) seen.add(name)
    else told.push(`${name}: ${there}, not ${here}`)
  }
  if (given.body !== expected.body) {
    told.push(`body ${given.body.slice(0, 200)}, not ${expected.body.slice(0, 200)}`)
  }
  return told
}

/** Checks a known difference: returns the fault, or `undefined` where it differs as listed. */
export function faultOfException({ status, says }, given, told) {
  if (told.length === 0) return 'is an exception, but answers as everywhere else: take it out'
  if (given.status === status && says.test(given.body)) return undefined
  return `is an exception, but another one: ${told.join('; ')}`
}
