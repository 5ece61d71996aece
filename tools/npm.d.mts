export function npm(folder: string, words: readonly string[]): string
export function install(folder: string): void
export function pack(folder: string): string
