import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { ExportSection, SectionPage, SectionRow } from "./sections/ExportSection.ts"
import { account } from "./sections/Account.ts"
import { blockedActors, blockedInstances } from "./sections/Blocklist.ts"
import { channels } from "./sections/Channels.ts"
import { comments } from "./sections/Comments.ts"
import { followers, following } from "./sections/Follows.ts"
import { history } from "./sections/History.ts"
import { playlists } from "./sections/Playlists.ts"
import { dislikes, likes } from "./sections/Rates.ts"
import { videos } from "./sections/Videos.ts"
import { reviewedTags, watchedWords } from "./sections/WatchedWords.ts"
import type { ExportTask } from "./sections/ExportTask.ts"

/** Entries per page: this many are in memory at a time. */
const pageSize = 100

/** The contents of an archive, file by file. The user's settings are added separately. */
export const exportSections: ReadonlyArray<ExportSection> = [
  { file: "account", one: account },
  { file: "channels", lists: [["channels", channels]] },
  {
    file: "blocklist",
    lists: [
      ["instances", blockedInstances],
      ["actors", blockedActors]
    ]
  },
  { file: "videos", lists: [["videos", videos]] },
  { file: "video-playlists", lists: [["videoPlaylists", playlists]] },
  { file: "comments", lists: [["comments", comments]] },
  { file: "likes", lists: [["likes", likes]] },
  { file: "dislikes", lists: [["dislikes", dislikes]] },
  { file: "following", lists: [["following", following]] },
  { file: "followers", lists: [["followers", followers]] },
  { file: "video-history", lists: [["watchedVideos", history]] },
  { file: "watched-words-lists", lists: [["watchedWordLists", watchedWords]] },
  { file: "auto-tag-policies", lists: [["reviewComments", reviewedTags]] }
]

/** Reads users' data for their archives. */
export class ExportReads extends Context.Service<
  ExportReads,
  {
    /** All entries of a list, read page by page. */
    readonly rows: (task: ExportTask, page: SectionPage) => Stream.Stream<SectionRow, DatabaseUnavailable>
  }
>()("@kinora/storage/exports/ExportReads") {
  static readonly layer = Layer.effect(
    ExportReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ExportReads.of({
        rows: (task, page) =>
          Stream.paginate(0, (after) =>
            Effect.map(withDatabaseErrors(page(sql, task, after, pageSize)), (rows) => [
              rows,
              rows.length < pageSize ? Option.none<number>() : Option.some(rows.at(-1)!.cursor)
            ])
          )
      })
    })
  )
}
