import { type FSWatcher, watch } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Registry } from '../contract/resource/registry.ts'
import { type ProblemError, problem } from '../convention/problem.ts'
import { type ContractOptions, serveCollections } from './contract.ts'
import {
  compareSnapshot,
  type FileSnapshot,
  readSnapshot,
  recoverFile,
  replaceFile,
} from './disk.ts'
import {
  bytesOf,
  documentOf,
  type FileDocument,
  itemsOf,
  storedAgain,
  withItems,
} from './document.ts'
import { type FileCollection, type ItemsByNoun, type ModelOptions, readModel } from './model.ts'
import { type FileStorage, type Saving, storageOf } from './storage.ts'

/** The options of a file that is served. */
export interface FileOptions extends ModelOptions, ContractOptions {
  readonly isReadOnly: boolean
  /** Reads the file again when another program changes it. */
  readonly isWatched: boolean
  /** Gets sentences for the person at the terminal. */
  readonly onNotice: (text: string) => void
  /** Gets the file as it is served from now on. */
  readonly onServed: (file: ServedContent) => void
}

/** The content of a file as it is served. */
export interface ServedContent {
  readonly registry: Registry
  readonly collections: readonly FileCollection[]
}

/** A file that is served. */
export interface OpenFile {
  /** Waits for the last save, and stops watching. */
  close(): Promise<void>
}

/** What to serve from now on. */
interface Content {
  readonly collections: readonly FileCollection[]
  readonly snapshot: FileSnapshot
  readonly documentFor: (stored: ItemsByNoun) => FileDocument
}

/** The content of a file at a time, with what stores and saves it. */
interface Generation {
  readonly collections: readonly FileCollection[]
  readonly storage: FileStorage
  document: FileDocument
  snapshot: FileSnapshot
}

/**
 * Serves a JSON file: reads it, watches it, and saves each write before it ends. The writes that
 * arrive during a save share the next one.
 *
 * A change by another program is never overwritten: the file is read again, and writes that it
 * would lose are `unavailable`. While the file is not valid, the content before it stays served.
 *
 * @throws {TypeError} For a file that cannot be served.
 */
export async function openFile(name: string, options: FileOptions): Promise<OpenFile> {
  const path = await realpath(name)
  const file = new LiveFile(path, options)
  try {
    if (!options.isReadOnly && (await recoverFile(path)))
      options.onNotice('The last save was cut off: it is complete now.')
    await file.start()
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`${name}: ${error.message}.`) : error
  }
  return { close: () => file.close() }
}

// Editors write a file in several steps.
const quietTime = 40

class LiveFile {
  readonly #path: string
  readonly #options: FileOptions
  #current: Generation | undefined
  /** The last of the saves and readings, which run one after another. */
  #last: Promise<unknown> = Promise.resolve()
  #nextSave: Promise<void> | undefined
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined
  #isInPlace = false
  /** The sentences that the author of the file knows. */
  #notes: ReadonlySet<string> = new Set()
  /** The fault of the file, which is told once. */
  #fault = ''

  constructor(path: string, options: FileOptions) {
    this.#path = path
    this.#options = options
  }

  async start(): Promise<void> {
    await this.#read()
    if (this.#options.isWatched) this.#watch()
  }

  async close(): Promise<void> {
    this.#watcher?.close()
    clearTimeout(this.#timer)
    await this.#last
  }

  async #read(): Promise<void> {
    const { content, ...snapshot } = await readSnapshot(this.#path)
    const model = readModel(content, this.#options)
    const { collections } = model
    const notes = this.#serve({
      collections,
      snapshot,
      documentFor: (stored) => documentOf(model, stored),
    })
    const newNotes = new Set([...model.notes, ...notes])
    for (const note of newNotes) if (!this.#notes.has(note)) this.#options.onNotice(note)
    this.#notes = newNotes
    this.#fault = ''
  }

  #serve({ collections, snapshot, documentFor }: Content): readonly string[] {
    const { isReadOnly, onServed } = this.#options
    const saving: Saving = {
      check: () => {
        if (this.#current !== generation) throw changedMeanwhile()
      },
      save: () => this.#save(generation),
    }
    const storage = storageOf(collections, {
      saving: isReadOnly ? undefined : saving,
      highestIds: this.#current?.storage.highestIds() ?? new Map(),
    })
    const { registry, notes } = serveCollections(collections, storage.adapters, this.#options)
    const document = documentFor(storage.items())
    const generation: Generation = { collections, storage, document, snapshot }
    this.#current = generation
    this.#nextSave = undefined
    onServed({ registry, collections })
    return notes
  }

  #save(generation: Generation): Promise<void> {
    if (generation !== this.#current) return Promise.reject(changedMeanwhile())
    this.#nextSave ??= this.#enqueue(() => this.#write(generation))
    return this.#nextSave
  }

  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }

  async #write(generation: Generation): Promise<void> {
    if (generation !== this.#current) throw changedMeanwhile()
    // A write from here on needs another save.
    this.#nextSave = undefined
    const document = withItems(generation.document, generation.storage.items())
    if (document === generation.document) return
    const snapshot = await this.#replace(generation, document)
    if (snapshot === undefined) {
      await this.#readAgain(generation)
      throw changedMeanwhile()
    }
    generation.document = document
    generation.snapshot = snapshot
  }

  async #replace(
    generation: Generation,
    document: FileDocument,
  ): Promise<FileSnapshot | undefined> {
    const onInPlace = (): void => {
      if (this.#isInPlace) return
      this.#isInPlace = true
      this.#options.onNotice('The file cannot be replaced by another one: it is written in place.')
    }
    const before = generation.snapshot
    try {
      return await replaceFile(this.#path, { before, bytes: bytesOf(document), onInPlace })
    } catch (cause) {
      this.#restore(generation)
      throw problem('unavailable', 'The file cannot be written', { cause })
    }
  }

  async #check(): Promise<void> {
    const generation = this.#current
    if (generation === undefined) return
    const snapshot = await compareSnapshot(this.#path, generation.snapshot)
    if (snapshot === undefined) return this.#readAgain(generation)
    generation.snapshot = snapshot
    this.#fault = ''
  }

  async #readAgain(generation: Generation): Promise<void> {
    const { onNotice } = this.#options
    try {
      await this.#read()
      onNotice('The file has changed: its new content is served.')
    } catch (error) {
      this.#restore(generation)
      const fault = faultOf(error)
      if (fault !== this.#fault) onNotice(`${fault}. The content before it stays served.`)
      this.#fault = fault
    }
  }

  // Serves what the last save wrote: no client may see a change that was refused.
  #restore({ collections, document, snapshot, storage }: Generation): void {
    if (withItems(document, storage.items()) === document) return
    const items = itemsOf(document)
    const savedCollections = collections.map((collection) => ({
      ...collection,
      items: items.get(collection.noun) ?? [],
    }))
    const documentFor = (stored: ItemsByNoun) => storedAgain(document, stored)
    this.#serve({ collections: savedCollections, snapshot, documentFor })
  }

  // The folder, since editors put another file in the place of this one.
  #watch(): void {
    const { onNotice } = this.#options
    const name = basename(this.#path)
    const onFailure = (): void =>
      onNotice('The folder cannot be watched: a change of the file shows at the next write.')
    const check = (): void => {
      this.#enqueue(() => this.#check()).catch((error) => onNotice(`${faultOf(error)}.`))
    }
    try {
      this.#watcher = watch(dirname(this.#path), (_, changed) => {
        if (changed !== null && changed !== name) return
        clearTimeout(this.#timer)
        this.#timer = setTimeout(check, quietTime)
      }).on('error', onFailure)
    } catch {
      onFailure()
    }
  }
}

function changedMeanwhile(): ProblemError {
  return problem('unavailable', 'The file has changed: try again', { retryAfter: 1 })
}

function faultOf(error: unknown): string {
  if (error instanceof TypeError) return `The file is not valid: ${error.message}`
  return `The file cannot be read: ${Object(error).message}`
}
