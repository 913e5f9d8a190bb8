import { importSections, type ImportSection, type SectionSummary } from "@kinora/domain/enums/UserArchiveState"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { jsonFolder } from "./context/Archive.ts"
import type { ImportContext, Outcome, SectionImport } from "./context/ImportContext.ts"
import { jsonItems, jsonLimits } from "./JsonItems.ts"
import { importAccount } from "./sections/Account.ts"
import { importBlocklist } from "./sections/Blocklist.ts"
import { importChannels } from "./sections/Channels.ts"
import { importFollowing } from "./sections/Following.ts"
import { importHistory } from "./sections/History.ts"
import { importPlaylists } from "./sections/Playlists.ts"
import { importDislikes, importLikes } from "./sections/Rates.ts"
import { importUserSettings } from "./sections/UserSettings.ts"
import { importVideos } from "./sections/Videos.ts"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const isDatabase = (error: unknown): error is DatabaseUnavailable => error instanceof DatabaseUnavailable

/** Nothing of the archive itself: there may be a hundred thousand of these. */
const tagOf = (error: { readonly _tag: string }): string => error._tag

/** Counted as the contract tells them. */
const counted = { success: "success", duplicate: "duplicates", error: "errors" } as const

const make = Effect.gen(function* () {
  const known: ReadonlyArray<SectionImport> = yield* Effect.all([
    importAccount,
    importUserSettings,
    importChannels,
    importBlocklist,
    importVideos,
    importPlaylists,
    importFollowing,
    importLikes,
    importDislikes,
    importHistory
  ])

  /** Whatever goes wrong with one thing is an error of it alone, but for a database that is away. */
  const bring = (section: SectionImport, context: ImportContext, text: string, list: string) =>
    Option.match(parse(text), {
      onNone: () => Effect.succeed<Outcome>("error"),
      onSome: (thing) =>
        section.bring(context, thing, list).pipe(
          Effect.catch((error) =>
            isDatabase(error)
              ? Effect.fail(error)
              : Effect.as(
                  Effect.logDebug(`Something of ${section.section} is not imported: ${tagOf(error)}`),
                  "error" as const
                )
          ),
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logWarning(`Something of ${section.section} is not imported`, defect), "error" as const)
          )
        )
    })

  const run = Effect.fn("ImportSections.run")(function* (
    context: ImportContext,
    name: ImportSection
  ): Effect.fn.Return<SectionSummary, DatabaseUnavailable> {
    const count = { success: 0, duplicates: 0, errors: 0 }
    const section = known.find((one) => one.section === name)
    const file = section?.files
      .map((one) => `${jsonFolder}/${one}.json`)
      .find((one) => context.archive.size(one) !== undefined)
    if (section === undefined || file === undefined) return count
    const note = (outcome: Outcome) => {
      count[counted[outcome]]++
    }
    const { lists } = section
    const bytes = context.archive.read(file, lists === undefined ? jsonLimits.itemLength : jsonLimits.fileBytes)
    const things =
      lists === undefined
        ? Stream.runCollect(bytes).pipe(
            Effect.map((parts) => Buffer.concat(parts).toString("utf8")),
            Effect.flatMap((text) => Effect.map(bring(section, context, text, ""), note))
          )
        : Stream.runForEach(
            Stream.filter(jsonItems(bytes), ({ list }) => lists.includes(list)),
            ({ list, text }) => Effect.map(bring(section, context, text, list), note)
          )
    // A file that is none ends its section, and no other.
    yield* things.pipe(
      Effect.catchTag("ArchiveRefused", ({ message }) =>
        Effect.andThen(
          Effect.logInfo(`${file} of an archive is not read to its end: ${message}`),
          Effect.sync(() => note("error"))
        )
      )
    )
    return count
  })

  return ImportSections.of({ run, order: importSections })
})

/** Brings in what an archive holds, section by section. */
export class ImportSections extends Context.Service<
  ImportSections,
  {
    /** In which they are to be brought in: what others name comes first. */
    readonly order: ReadonlyArray<ImportSection>
    /** One section. What is there already stays; of what the archive has nothing, nothing happens. */
    readonly run: (context: ImportContext, section: ImportSection) => Effect.Effect<SectionSummary, DatabaseUnavailable>
  }
>()("@kinora/node/userimports/ImportSections") {
  static readonly layer = Layer.effect(ImportSections, make)
}
