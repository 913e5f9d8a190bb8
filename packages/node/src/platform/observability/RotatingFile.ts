import { Effect, FileSystem, Path, type PlatformError } from "effect"

/** A file that lines are appended to and that is rotated when it is full. */
export interface RotatingFile {
  /** Appends whole lines. Afterwards the newest file is at most one batch above `maxBytes`. */
  readonly append: (lines: ReadonlyArray<string>) => Effect.Effect<void, PlatformError.PlatformError>
}

/**
 * Opens `<folder>/<name>.log` and creates the folder if needed. A full file becomes `<name>.1.log`, the one before
 * `<name>.2.log` and so on; at most `maxFiles` files are kept. Sizes in bytes.
 */
export const openRotatingFile = Effect.fnUntraced(function* (options: {
  readonly folder: string
  readonly name: string
  readonly maxBytes: number
  readonly maxFiles: number
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const fileAt = (age: number) =>
    path.join(options.folder, age === 0 ? `${options.name}.log` : `${options.name}.${age}.log`)
  yield* fs.makeDirectory(options.folder, { recursive: true })
  const current = fileAt(0)
  let bytes = (yield* fs.exists(current)) ? Number((yield* fs.stat(current)).size) : 0

  const rotate = Effect.gen(function* () {
    for (let age = options.maxFiles - 1; age >= 0; age--) {
      const file = fileAt(age)
      if (!(yield* fs.exists(file))) continue
      if (age === options.maxFiles - 1) yield* fs.remove(file)
      else yield* fs.rename(file, fileAt(age + 1))
    }
    bytes = 0
  })

  const append = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
    if (lines.length === 0) return
    const content = new TextEncoder().encode(`${lines.join("\n")}\n`)
    if (bytes > 0 && bytes + content.length > options.maxBytes) yield* rotate
    // Readable for the group, so that operators can read logs, but not for others.
    yield* fs.writeFile(current, content, { flag: "a", mode: 0o640 })
    bytes += content.length
  })

  return { append } satisfies RotatingFile
})
