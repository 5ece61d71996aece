import {
  type AdapterMethod,
  passages,
  readingMethods,
  removingPassages,
} from '../../convention/adapter-methods.ts'

const makers = new WeakMap<object, object>()

/** The methods that tell of all items past those that show them. */
type Bypass = 'countBy' | 'selection' | 'joinsSelection' | 'storage'

type Methods = Readonly<Partial<Record<AdapterMethod | Bypass, unknown>>>

/** Marks the methods of an adapter, so that {@link faultOfWrapping} knows them in another one. */
export function asSiblings<AdapterType extends object>(adapter: AdapterType): AdapterType {
  for (const method of Object.values(adapter)) {
    if (typeof method === 'function') makers.set(method, adapter)
  }
  return adapter
}

/** Tells whether {@link asSiblings} marked a method. Such a method needs no `this`. */
export function isSibling(method: object): boolean {
  return makers.has(method)
}

/**
 * Returns the fault of an adapter that has some methods of its own beside marked ones that go past
 * them; `undefined` for none. These are `list`, `read`, `first`, `last` and `count`, which show the
 * same items, and `create` and `update` beside the methods that store for them.
 */
export function faultOfWrapping(adapter: Methods): string | undefined {
  return faultOfReading(adapter) ?? faultOfWriting(adapter, passages)
}

/** Returns the same fault about the methods that a rule for deletions needs. */
export function faultOfRemoving(adapter: Methods): string | undefined {
  return faultOfWriting(adapter, removingPassages)
}

/**
 * Returns the `countBy` of an adapter, or a method for joins; `undefined` where it goes past
 * methods of the adapter's own that show items, and may hide some. The core then lists the items.
 */
export function bypassOf<AdapterType extends Methods, Name extends Bypass>(
  adapter: AdapterType,
  name: Name,
): AdapterType[Name] | undefined {
  const method = adapter[name]
  const maker = makers.get(Object(method))
  const isOwn = (readingName: AdapterMethod): boolean => {
    const reading = adapter[readingName]
    return typeof reading === 'function' && makers.get(reading) !== maker
  }
  return maker !== undefined && readingMethods.some(isOwn) ? undefined : method
}

// A tenant's items that one of these methods hides would show through the others.
function faultOfReading(adapter: Methods): string | undefined {
  const byMaker = new Map<object | undefined, AdapterMethod[]>()
  for (const name of readingMethods) {
    const method = adapter[name]
    if (typeof method !== 'function') continue
    const maker = makers.get(method)
    byMaker.set(maker, [...(byMaker.get(maker) ?? []), name])
  }
  if (byMaker.size < 2) return undefined
  const groups = [...byMaker.values()]
  const fewest = groups.reduce((smallest, group) =>
    group.length < smallest.length ? group : smallest,
  )
  const wrappers = byMaker.get(undefined) ?? fewest
  const innerNames = quoted(groups.filter((group) => group !== wrappers).flat())
  return (
    `has its own ${quoted(wrappers)} beside the ${innerNames} of another adapter, ` +
    'so an item that one hides shows through the other. ' +
    'To hide items, use "ownedBy" and .scope(), or narrow(adapter, scope). ' +
    `Else use a middleware, wrap ${innerNames} too, or leave them out: ` +
    'the core makes "first", "last" and "count" from "list"'
  )
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

function faultOfWriting(adapter: Methods, methodPairs: typeof passages): string | undefined {
  for (const [method, wrapped] of methodPairs) {
    const [innerMethod, wrapper] = [adapter[method], adapter[wrapped]]
    if (typeof innerMethod !== 'function' || typeof wrapper !== 'function') continue
    const maker = makers.get(innerMethod)
    if (maker === undefined || makers.get(wrapper) === maker) continue
    return (
      `has its own "${wrapped}", but the "${method}" of another adapter goes past it: ` +
      `write your own "${method}", or leave it out: ({ ${method}, ...rest }) => rest`
    )
  }
  return undefined
}

const keeping = new WeakSet<object>()

/**
 * Marks an adapter's `update` that loses no change between the core's read and the write. Such a
 * method leaves the stored read-only fields, or writes in the same turn as the read.
 * Returns the method itself.
 */
export function keepsReadOnly<Update extends object>(update: Update): Update {
  keeping.add(update)
  return update
}

/** Tells whether {@link keepsReadOnly} marked a method. */
export function isKeeping(update: object | undefined): boolean {
  return update !== undefined && keeping.has(update)
}

const skipping = new WeakSet<object>()

/**
 * Marks an adapter's `list` that leaves out the first `query.offset` items itself. Without the mark
 * the core leaves them out. A wrapper of the method is not marked: it may hide items.
 * Returns the method itself.
 */
export function skipsItems<List extends object>(list: List): List {
  skipping.add(list)
  return list
}

/** Tells whether {@link skipsItems} marked a method. */
export function isSkipping(list: object | undefined): boolean {
  return list !== undefined && skipping.has(list)
}

const telling = new WeakSet<object>()

/**
 * Marks an adapter's `storage`. A wrapper of all methods is not marked: it may expect an operation.
 * Returns the method itself.
 */
export function tellsStorage<Tell extends () => object>(tell: Tell): Tell {
  telling.add(tell)
  return tell
}

/** Returns the marked `storage` of an adapter; `undefined` where it has none of its own. */
export function storageMethodOf(adapter: {
  readonly storage?: (() => object) | undefined
}): (() => object) | undefined {
  const tell = bypassOf(adapter, 'storage')
  return tell !== undefined && telling.has(tell) ? tell : undefined
}
