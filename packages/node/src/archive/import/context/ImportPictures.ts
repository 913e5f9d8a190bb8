import { constraints } from "@kinora/domain/enums/Constraints"
import { Effect } from "effect"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { referencedName } from "./Archive.ts"
import type { ImportContext } from "./ImportContext.ts"

const { maxBytes } = constraints.actorImage

/**
 * Takes an image out of the archive, into a folder of its own in which its sizes can be made. Undefined if the archive
 * has none, or one that is too large: its owner is imported without it.
 */
export const takePicture = Effect.fnUntraced(function* ({ archive, folder }: ImportContext, reference: unknown) {
  const name = referencedName(reference)
  if (name === undefined || archive.size(name) === undefined) return undefined
  const own = join(folder, randomUUID())
  yield* Effect.promise(() => mkdir(own, { mode: 0o700 }))
  const path = join(own, "picture")
  return yield* archive.extract(name, path, maxBytes).pipe(
    Effect.as(path),
    Effect.catchTag("ArchiveRefused", ({ message }) =>
      Effect.as(Effect.logInfo(`An image of an archive is skipped: ${message}`), undefined)
    )
  )
})
