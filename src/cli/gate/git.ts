import { execFile } from 'node:child_process'
import { UsageError } from '../../trial/check/usage-error.ts'

/** A file of a commit. */
export interface GitPath {
  /** A branch, a tag, a commit: `origin/main`. */
  readonly ref: string
  /** Relative to the working directory. */
  readonly path: string
}

/**
 * Reads `git:origin/main:contract.json`; `undefined` for a side without the prefix `git:`.
 *
 * @throws {UsageError} For a side that names no commit or no file.
 */
export function parseGitSide(side: string): GitPath | undefined {
  if (!side.startsWith('git:')) return undefined
  const [, ref, path] = /^git:([^:]*):(.*)$/s.exec(side) ?? []
  const example = 'write git:origin/main:contract.json'
  if (ref === undefined || path === undefined || path === '')
    throw new UsageError(`"${side}" names no file of a commit: ${example}.`)
  // An option of git begins with "-".
  if (!/^[\w@][\w@{}./^~+-]*$/.test(ref) || ref.includes('..'))
    throw new UsageError(`"${ref}" is no branch, tag or commit: ${example}.`)
  if (path.startsWith('/') || /\p{Cc}/u.test(path))
    throw new UsageError(`"${path}" must be a path below the working directory: ${example}.`)
  return { ref, path }
}

const maxBytes = 256 * 1024 * 1024

/**
 * Returns the text of a file of a commit. Runs git without a shell.
 *
 * @throws {UsageError} Where git is missing, or knows no such commit or file.
 */
export function readFromGit({ ref, path }: GitPath): Promise<string> {
  const object = `${ref}:./${path}`
  const args = ['--no-pager', 'show', '--no-textconv', '--no-color', object]
  return new Promise((resolve, reject) => {
    execFile('git', args, { maxBuffer: maxBytes, encoding: 'utf8' }, (error, text, errors) => {
      if (error === null) return resolve(text)
      const isMissing = Reflect.get(error, 'code') === 'ENOENT'
      const [line = ''] = errors.trim().split(/\.?(?:\n|$)/)
      reject(
        new UsageError(
          isMissing
            ? 'git is not installed, so the file of a commit cannot be read.'
            : `git cannot read ${path} of ${ref}: ${line || error.message}. ` +
                'Commit the file there, or fetch the commit first.',
        ),
      )
    })
  })
}
