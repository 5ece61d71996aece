/** The packages that only some commands need: the user installs them. */
export type OptionalPackage = 'jiti' | 'yaml'

/** Returns the command that installs a package. */
export function installOf(name: OptionalPackage): string {
  return `npm install --save-dev ${name}`
}

/** Imports an optional package; `undefined` where it is not installed. */
export async function importOptional<Module>(
  load: () => Promise<Module>,
): Promise<Module | undefined> {
  try {
    return await load()
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}
