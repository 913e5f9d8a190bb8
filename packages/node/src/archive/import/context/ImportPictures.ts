import { constraints } from "@kinora/domain/enums/Constraints"
import { Effect } from "effect"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { namedBeside } from "./Archive.ts"
import type { ImportContext } from "./ImportContext.ts"

const { maxBytes } = constraints.actorImage

/**
 * Takes a picture out of the archive, alone into a folder in which its sizes may be made. Undefined where the archive has
 * none, or one that is too large: what it belongs to is worth having without.
 */
export const takePicture = Effect.fnUntraced(function* ({ archive, folder }: ImportContext, told: unknown) {
  const name = namedBeside(told)
  if (name === undefined || archive.size(name) === undefined) return undefined
  const own = join(folder, randomUUID())
  yield* Effect.promise(() => mkdir(own, { mode: 0o700 }))
  const path = join(own, "picture")
  return yield* archive.extract(name, path, maxBytes).pipe(
    Effect.as(path),
    Effect.catchTag("ArchiveRefused", ({ message }) =>
      Effect.as(Effect.logInfo(`A picture of an archive is left out: ${message}`), undefined)
    )
  )
})
