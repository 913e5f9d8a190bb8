import { channelPlayerThemes } from "@kinora/domain/enums/PlayerTheme"
import { VideoChannelCreate } from "@kinora/domain/requests/ChannelRequests"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { PlayerThemes } from "@kinora/storage/video/player/PlayerThemes"
import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { Effect, Option, Schema } from "effect"
import { ActorImages } from "../../../people/actor/ActorImages.ts"
import { Channels } from "../../../people/channel/Channels.ts"
import type { ImportContext, SectionImport } from "../context/ImportContext.ts"
import { fieldsOf, given } from "../context/ImportedFields.ts"
import { takePicture } from "../context/ImportPictures.ts"

const decode = Schema.decodeUnknownEffect(VideoChannelCreate)
const section = "channels"

/**
 * Channels, matched by name. A channel the user already has stays as it is. A name that somebody else has is an error.
 */
export const importChannels = Effect.gen(function* () {
  const channels = yield* Channels
  const rows = yield* ChannelRows
  const images = yield* ActorImages
  const themes = yield* PlayerThemes
  const items = yield* ImportItems

  const dress = Effect.fnUntraced(function* (context: ImportContext, entry: unknown, name: string) {
    const channel = yield* rows.byHandle({ name, host: null })
    if (Option.isNone(channel)) return
    const files = fieldsOf(fieldsOf(entry)["archiveFiles"])
    for (const type of ["avatar", "banner"] as const) {
      const picture = yield* takePicture(context, files[type])
      if (picture !== undefined)
        yield* Effect.ignore(images.set(channel.value.actorId, type, picture), {
          log: "Info",
          message: "A picture of a channel was not imported"
        })
    }
    const value = fieldsOf(fieldsOf(entry)["playerSettings"])["theme"]
    const theme = channelPlayerThemes.find((one) => one === value)
    if (theme !== undefined) yield* themes.setOfChannel(channel.value.id, context.user.accountId, theme)
  })

  return {
    section,
    files: ["channels"],
    lists: ["channels"],
    importEntry: Effect.fnUntraced(function* (context, entry) {
      const { task, user } = context
      const request = yield* decode(given(entry, ["name", "displayName", "description", "support", "publicEmail"]))
      const there = yield* rows.byHandle({ name: request.name, host: null })
      if (Option.isSome(there)) {
        if (there.value.accountId !== user.accountId) return "error"
        const made = yield* items.made(user.id, section, request.name)
        if (Option.isNone(made) || made.value.importId !== task.importId) return "duplicate"
      } else {
        // Recorded first: if the import is repeated, the channel is known to be from this import and gets its images.
        yield* items.remember(task, section, request.name, null)
        yield* channels.create(user, request)
      }
      yield* dress(context, entry, request.name)
      return "success"
    })
  } satisfies SectionImport
})
