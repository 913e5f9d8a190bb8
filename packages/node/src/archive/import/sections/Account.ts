import { UpdateMe } from "@kinora/domain/requests/UpdateMe"
import { Effect, Schema } from "effect"
import { ActorImages } from "../../../people/actor/ActorImages.ts"
import { MyUser } from "../../../people/me/MyUser.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { fieldsOf, given } from "../context/ImportedFields.ts"
import { takePicture } from "../context/ImportPictures.ts"

const decode = Schema.decodeUnknownEffect(UpdateMe)

/** The profile: name, description and avatar replace the present ones. */
export const importAccount = Effect.gen(function* () {
  const me = yield* MyUser
  const images = yield* ActorImages
  return {
    section: "account",
    files: ["account"],
    importEntry: Effect.fnUntraced(function* (context, entry) {
      yield* me.update(context.user, yield* decode(given(entry, ["displayName", "description"])))
      const { archiveFiles } = fieldsOf(entry)
      const picture = yield* takePicture(context, fieldsOf(archiveFiles)["avatar"])
      if (picture !== undefined) yield* images.set(context.task.actorId, "avatar", picture)
      return "success" as const
    })
  } satisfies SectionImport
})
