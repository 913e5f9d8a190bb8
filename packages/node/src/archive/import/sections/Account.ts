import { UpdateMe } from "@kinora/domain/requests/UpdateMe"
import { Effect, Schema } from "effect"
import { ActorImages } from "../../../people/actor/ActorImages.ts"
import { MyUser } from "../../../people/me/MyUser.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { fieldsOf, given } from "../context/ImportedFields.ts"
import { takePicture } from "../context/ImportPictures.ts"

const decode = Schema.decodeUnknownEffect(UpdateMe)

/** The profile: its name, its text and its picture take the place of what there is. */
export const importAccount = Effect.gen(function* () {
  const me = yield* MyUser
  const images = yield* ActorImages
  return {
    section: "account",
    files: ["account"],
    bring: Effect.fnUntraced(function* (context, thing) {
      yield* me.update(context.user, yield* decode(given(thing, ["displayName", "description"])))
      const { archiveFiles } = fieldsOf(thing)
      const picture = yield* takePicture(context, fieldsOf(archiveFiles)["avatar"])
      if (picture !== undefined) yield* images.set(context.task.actorId, "avatar", picture)
      return "success" as const
    })
  } satisfies SectionImport
})
