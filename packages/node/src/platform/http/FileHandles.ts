import { constants, close, fstat, open, stat, type Stats } from "node:fs"
import { Effect } from "effect"
import { FileNotFound } from "@kinora/domain/errors/VideoErrors"

/** An open file that several answers read at once. */
export interface FileHandle {
  readonly fd: number
  readonly size: number
  readonly modifiedMillis: number
  /** Strong entity tag, of size and time of change. */
  readonly etag: string
  /** Time of change as HTTP writes it, to the second. */
  readonly lastModified: string
}

interface Entry extends FileHandle {
  readonly path: string
  readonly ino: number
  refs: number
  checkedAt: number
  /** When the last reader let go. */
  leftAt: number
  /** No longer in the cache: closed when the last reader lets go. */
  doomed: boolean
}

const absent = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG", "EACCES"])

const failure = (error: NodeJS.ErrnoException): Effect.Effect<never, FileNotFound> =>
  absent.has(error.code ?? "") ? Effect.fail(new FileNotFound()) : Effect.die(error)

const flags = constants.O_RDONLY | constants.O_NOFOLLOW

const openEntry = (path: string): Effect.Effect<Entry, FileNotFound> =>
  Effect.callback((resume) => {
    open(path, flags, (error, fd) => {
      if (error !== null) return resume(failure(error))
      fstat(fd, (error, stats) => {
        if (error !== null || !stats.isFile()) {
          close(fd)
          return resume(error === null ? Effect.fail(new FileNotFound()) : failure(error))
        }
        resume(
          Effect.succeed({
            path,
            fd,
            size: stats.size,
            modifiedMillis: stats.mtimeMs,
            etag: `"${stats.size.toString(16)}-${Math.round(stats.mtimeMs).toString(16)}"`,
            lastModified: new Date(Math.floor(stats.mtimeMs / 1000) * 1000).toUTCString(),
            ino: stats.ino,
            refs: 0,
            checkedAt: performance.now(),
            leftAt: performance.now(),
            doomed: false
          })
        )
      })
    })
  })

const statPath = (path: string): Effect.Effect<Stats | undefined> =>
  Effect.callback((resume) => {
    stat(path, (error, stats) => resume(Effect.succeed(error === null ? stats : undefined)))
  })

/** How long an open file is believed to be what its path names, in milliseconds. */
const trustedMillis = 1000

/** How long a file that nobody reads stays open, in milliseconds: one that was removed takes room until it is closed. */
const idleMillis = 10_000

/**
 * Keeps files open between answers: opening costs more than reading a range. At most `capacity` files that nobody
 * reads stay open; a path is looked at again after a second, so that a file that was removed or replaced is not
 * served much longer, and `forget` ends it at once. What nobody has read for some seconds is closed, whoever removed it.
 */
export const makeFileHandles = (capacity: number, idle = idleMillis) => {
  const entries = new Map<string, Entry>()
  let sweeping: NodeJS.Timeout | undefined

  const doom = (entry: Entry): void => {
    if (entry.doomed) return
    entry.doomed = true
    if (entries.get(entry.path) === entry) entries.delete(entry.path)
    if (entry.refs === 0) close(entry.fd)
  }

  const sweep = (): void => {
    const since = performance.now() - idle
    for (const entry of Array.from(entries.values())) if (entry.refs === 0 && entry.leftAt <= since) doom(entry)
    if (entries.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  const hold = (entry: Entry): FileHandle => {
    entry.refs++
    return entry
  }

  const keep = (opened: Entry): FileHandle => {
    const other = entries.get(opened.path)
    if (other !== undefined && other.ino === opened.ino && other.modifiedMillis === opened.modifiedMillis) {
      // Two requests opened it at once: the first one stays.
      close(opened.fd)
      return hold(other)
    }
    if (other !== undefined) doom(other)
    entries.set(opened.path, opened)
    hold(opened)
    sweeping ??= setInterval(sweep, idle).unref()
    if (entries.size > capacity) {
      for (const entry of entries.values()) {
        if (entry.refs > 0) continue
        doom(entry)
        if (entries.size <= capacity) break
      }
    }
    return opened
  }

  /** Opens the file, or takes it as it is open. Every success must be given back by `release`. */
  const acquire = (path: string): Effect.Effect<FileHandle, FileNotFound> =>
    Effect.suspend(() => {
      const entry = entries.get(path)
      if (entry === undefined) return Effect.map(openEntry(path), keep)
      if (performance.now() - entry.checkedAt < trustedMillis) {
        // Last used is last in the map, so that eviction begins with what is not asked for.
        entries.delete(path)
        entries.set(path, entry)
        return Effect.succeed(hold(entry))
      }
      entry.checkedAt = performance.now()
      hold(entry)
      return Effect.flatMap(statPath(path), (stats) => {
        if (stats?.ino === entry.ino && stats.mtimeMs === entry.modifiedMillis && stats.size === entry.size) {
          return Effect.succeed<FileHandle>(entry)
        }
        doom(entry)
        release(entry)
        return Effect.map(openEntry(path), keep)
      })
    })

  const release = (handle: FileHandle): void => {
    const entry = handle as Entry
    entry.refs--
    entry.leftAt = performance.now()
    if (entry.refs === 0 && entry.doomed) close(entry.fd)
  }

  /** Takes an open file once more without waiting; false when it was closed meanwhile. */
  const retain = (handle: FileHandle): boolean => {
    const entry = handle as Entry
    if (entry.doomed && entry.refs === 0) return false
    entry.refs++
    return true
  }

  /** No later answer reads the file as it is open now; those that are under way finish. */
  const forget = (path: string): void => {
    const entry = entries.get(path)
    if (entry !== undefined) doom(entry)
  }

  const closeAll = (): void => {
    for (const entry of Array.from(entries.values())) doom(entry)
    clearInterval(sweeping)
    sweeping = undefined
  }

  const forgetAll = (): void => {
    for (const entry of entries.values()) doom(entry)
  }

  return { acquire, release, retain, forget, forgetAll, closeAll, openCount: () => entries.size }
}

export type FileHandles = ReturnType<typeof makeFileHandles>
