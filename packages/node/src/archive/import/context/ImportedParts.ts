import { constraints } from "@kinora/domain/enums/Constraints"
import { EmbedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { videoPlayerThemes } from "@kinora/domain/enums/PlayerTheme"
import { isVideoLanguage } from "@kinora/domain/enums/VideoLanguage"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { ReplaceChapters } from "@kinora/domain/requests/ChapterRequests"
import { UpdateEmbedPrivacy } from "@kinora/domain/requests/EmbedRequests"
import { PlayerThemes } from "@kinora/storage/video/player/PlayerThemes"
import { CaptionRows } from "@kinora/storage/video/caption/CaptionRows"
import { ChapterRows } from "@kinora/storage/video/chapter/ChapterRows"
import { EmbedRows } from "@kinora/storage/video/embed/EmbedRows"
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { toWebVtt } from "../../../video/caption/WebVtt.ts"
import { siteHost } from "../../../video/embed/EmbedRule.ts"
import { referencedName } from "./Archive.ts"
import { ArchiveRefused } from "./ArchiveRefused.ts"
import type { ImportContext } from "./ImportContext.ts"
import { fieldsOf } from "./ImportedFields.ts"

const decodeChapters = Schema.decodeUnknownOption(ReplaceChapters)
const decodeEmbeds = Schema.decodeUnknownOption(UpdateEmbedPrivacy)

const asText = (bytes: Uint8Array) =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new ArchiveRefused({ message: "Captions of the archive are not text in UTF-8" })
  })

const make = Effect.gen(function* () {
  const captions = yield* CaptionRows
  const chapters = yield* ChapterRows
  const embeds = yield* EmbedRows
  const themes = yield* PlayerThemes

  /** A part that cannot be used is left out, and the video stays. */
  const optionally = <E extends { readonly _tag: string }>(
    part: string,
    work: Effect.Effect<unknown, E | DatabaseUnavailable>
  ) =>
    Effect.catchIf(
      Effect.asVoid(work),
      (error): error is E => error._tag !== "DatabaseUnavailable",
      (error) => Effect.logInfo(`${part} of an archive are skipped`, error)
    ) as Effect.Effect<void, DatabaseUnavailable>

  const caption = Effect.fnUntraced(function* (
    { archive, user }: ImportContext,
    videoId: number,
    language: string,
    reference: unknown
  ) {
    const name = referencedName(reference)
    if (name === undefined || !isVideoLanguage(language) || archive.size(name) === undefined) return
    const parts = yield* Stream.runCollect(archive.read(name, constraints.caption.maxBytes))
    const text = yield* toWebVtt(yield* asText(Buffer.concat(parts)))
    if (text !== undefined) yield* captions.set(videoId, user.accountId, language, text)
  })

  const store = Effect.fn("ImportedParts.store")(function* (context: ImportContext, videoId: number, entry: unknown) {
    const { accountId } = context.user
    const fields = fieldsOf(entry)
    for (const [language, reference] of Object.entries(fieldsOf(fieldsOf(fields["archiveFiles"])["captions"]))) {
      yield* optionally("Captions", caption(context, videoId, language, reference))
    }
    const decoded = decodeChapters({ chapters: fields["chapters"] })
    if (Option.isSome(decoded) && decoded.value.chapters.length > 0) {
      yield* chapters.replace(videoId, accountId, decoded.value.chapters)
    }
    const embed = decodeEmbeds(fields["videoEmbedPrivacy"])
    if (Option.isSome(embed) && embed.value.policy !== EmbedPrivacyPolicy.allAllowed) {
      const domains = (embed.value.domains ?? []).map(siteHost).filter((host) => host !== undefined)
      yield* embeds.set(videoId, accountId, { policy: embed.value.policy, domains })
    }
    const theme = videoPlayerThemes.find((one) => one === fieldsOf(fields["playerSettings"])["theme"])
    if (theme !== undefined && theme !== "channel-default") yield* themes.setOfVideo(videoId, accountId, theme)
  })

  return ImportedParts.of({ store })
})

/** Captions, chapters and other parts of a video from an archive. */
export class ImportedParts extends Context.Service<
  ImportedParts,
  {
    /** Stores the parts that the archive describes. Can be repeated. */
    readonly store: (
      context: ImportContext,
      videoId: number,
      entry: unknown
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/userimports/ImportedParts") {
  static readonly layer = Layer.effect(ImportedParts, make)
}
