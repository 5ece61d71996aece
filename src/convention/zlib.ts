/**
 * Returns `node:zlib` where the runtime has it: Node, Deno, Bun, and Workers with `nodejs_compat`.
 * Bundlers for the web cannot resolve an import of it.
 *
 * @typeParam Zlib The part of it that the caller needs.
 */
export function zlibOfRuntime<Zlib>(): Zlib | undefined {
  const runtime: unknown = Reflect.get(globalThis, 'process')
  const getModule: unknown = Reflect.get(Object(runtime), 'getBuiltinModule')
  return typeof getModule === 'function' ? getModule.call(runtime, 'node:zlib') : undefined
}
