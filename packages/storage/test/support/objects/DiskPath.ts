import { Effect } from "effect"
import type { ObjectKey } from "../../../src/platform/objects/ObjectKey.ts"
import type { ObjectStore } from "../../../src/platform/objects/ObjectStore.ts"

/** The file of an object that is on disk, whether or not it is there. */
export const diskPath = (objects: ObjectStore["Service"], key: ObjectKey): Effect.Effect<string> =>
  Effect.flatMap(Effect.orDie(objects.place(key)), (place) =>
    place._tag === "Disk" ? Effect.succeed(place.path) : Effect.die(new Error(`${key.name} is not on disk`))
  )
