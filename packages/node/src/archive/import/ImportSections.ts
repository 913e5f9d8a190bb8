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
import { importReviewedTags, importWatchedWords } from "./sections/WatchedWords.ts"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const isDatabase = (error: unknown): error is DatabaseUnavailable => error instanceof DatabaseUnavailable

/** Only the tag, nothing from the archive: there may be a hundred thousand of these. */
const tagOf = (error: { readonly _tag: string }): string => error._tag

/** Counted under the names the contract gives them. */
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
    importHistory,
    importWatchedWords,
    importReviewedTags
  ])

  /** An error affects only its own entry, unless the database is unavailable. */
  const importEntry = (section: SectionImport, context: ImportContext, text: string, list: string) =>
    Option.match(parse(text), {
      onNone: () => Effect.succeed<Outcome>("error"),
      onSome: (entry) =>
        section.importEntry(context, entry, list).pipe(
          Effect.catch((error) =>
            isDatabase(error)
              ? Effect.fail(error)
              : Effect.as(
                  Effect.logDebug(`An entry of ${section.section} is not imported: ${tagOf(error)}`),
                  "error" as const
                )
          ),
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logWarning(`An entry of ${section.section} is not imported`, defect), "error" as const)
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
    const entries =
      lists === undefined
        ? Stream.runCollect(bytes).pipe(
            Effect.map((parts) => Buffer.concat(parts).toString("utf8")),
            Effect.flatMap((text) => Effect.map(importEntry(section, context, text, ""), note))
          )
        : Stream.runForEach(
            Stream.filter(jsonItems(bytes), ({ list }) => lists.includes(list)),
            ({ list, text }) => Effect.map(importEntry(section, context, text, list), note)
          )
    // A file that is not valid JSON ends its own section only.
    yield* entries.pipe(
      Effect.catchTag("ArchiveRefused", ({ message }) =>
        Effect.andThen(
          Effect.logInfo(`${file} of an archive was not read completely: ${message}`),
          Effect.sync(() => note("error"))
        )
      )
    )
    return count
  })

  return ImportSections.of({ run, order: importSections })
})

/** Imports the contents of an archive, section by section. */
export class ImportSections extends Context.Service<
  ImportSections,
  {
    /** The order of import: sections that others refer to come first. */
    readonly order: ReadonlyArray<ImportSection>
    /** Imports one section. Existing data stays. A section that the archive lacks is skipped. */
    readonly run: (context: ImportContext, section: ImportSection) => Effect.Effect<SectionSummary, DatabaseUnavailable>
  }
>()("@kinora/node/userimports/ImportSections") {
  static readonly layer = Layer.effect(ImportSections, make)
}
