import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import { constraints } from "@kinora/domain/enums/Constraints"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Sort } from "@kinora/domain/requests/Pagination"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoPassword } from "@kinora/domain/wire/VideoAnswers"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { addPasswords, replacePasswords } from "../write/VideoDetails.ts"
import { lockVideo } from "../write/VideoFiles.ts"

/**
 * `gone`: no such local video; `open`: it is not password-protected; `full`: it has reached the limit of passwords;
 * `unknown`: it has no such password; `last`: it would have none left.
 */
export type PasswordChange = "done" | "gone" | "open" | "full" | "unknown" | "last"

const passwordProtected = 5

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const change = (
    videoId: number,
    accountId: number,
    work: Effect.Effect<PasswordChange, SqlError>
  ): Effect.Effect<PasswordChange, DatabaseUnavailable> =>
    Effect.gen(function* () {
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return "gone"
      if (video.privacy !== passwordProtected) return "open"
      const outcome = yield* work
      if (outcome === "done") {
        yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.updatePasswords })
      }
      return outcome
    }).pipe(sql.withTransaction, withDatabaseErrors)

  const list: VideoPasswords["Service"]["list"] = Effect.fn("VideoPasswords.list")(function* (videoId, page) {
    const direction = sql.literal(page.sort.descending ? "desc" : "asc")
    const [row] = yield* sql<{ text: JsonPage<VideoPassword> }>`
      select json_build_object(
        'total', (select count(*) from video_password where video_id = ${videoId}),
        'data', coalesce((
          select json_agg(json_build_object('id', p.id, 'password', p.password, 'videoId', p.video_id,
            'createdAt', wire_time(p.created_at), 'updatedAt', wire_time(p.updated_at)) order by p.position)
          from (
            select *, row_number() over (order by created_at ${direction}, id ${direction}) as position
            from video_password where video_id = ${videoId}
            order by created_at ${direction}, id ${direction} limit ${page.count} offset ${page.start}
          ) p
        ), '[]')
      )::text as text
    `
    return row!.text
  }, withDatabaseErrors)

  const add = Effect.fn("VideoPasswords.add")((videoId: number, accountId: number, password: string) =>
    change(
      videoId,
      accountId,
      Effect.gen(function* () {
        const rows = yield* sql<{ password: string }>`select password from video_password where video_id = ${videoId}`
        if (rows.some((row) => row.password === password)) return "done"
        if (rows.length >= constraints.video.passwords.max) return "full"
        yield* addPasswords(sql, videoId, [password])
        return "done"
      })
    )
  )

  const replace = Effect.fn("VideoPasswords.replace")(
    (videoId: number, accountId: number, passwords: ReadonlyArray<string>) =>
      change(videoId, accountId, Effect.as(replacePasswords(sql, videoId, passwords), "done" as const))
  )

  const remove = Effect.fn("VideoPasswords.remove")((videoId: number, accountId: number, passwordId: number) =>
    change(
      videoId,
      accountId,
      Effect.gen(function* () {
        const rows = yield* sql<{ id: number }>`select id from video_password where video_id = ${videoId}`
        if (!rows.some(({ id }) => id === passwordId)) return "unknown"
        if (rows.length === 1) return "last"
        yield* sql`delete from video_password where id = ${passwordId}`
        return "done"
      })
    )
  )

  return VideoPasswords.of({ list, add, replace, remove })
})

/** Passwords of password-protected videos. */
export class VideoPasswords extends Context.Service<
  VideoPasswords,
  {
    /** `{"total":…,"data":[…]}` (contract: VideoPasswordList). */
    readonly list: (
      videoId: number,
      page: { readonly start: number; readonly count: number; readonly sort: Sort<"createdAt"> }
    ) => Effect.Effect<JsonPage<VideoPassword>, DatabaseUnavailable>
    /** Adding an existing password has no effect. */
    readonly add: (
      videoId: number,
      accountId: number,
      password: string
    ) => Effect.Effect<PasswordChange, DatabaseUnavailable>
    /** `passwords` is not empty. Those that stay keep their row ids. */
    readonly replace: (
      videoId: number,
      accountId: number,
      passwords: ReadonlyArray<string>
    ) => Effect.Effect<PasswordChange, DatabaseUnavailable>
    readonly remove: (
      videoId: number,
      accountId: number,
      passwordId: number
    ) => Effect.Effect<PasswordChange, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/passwords/VideoPasswords") {
  static readonly layer = Layer.effect(VideoPasswords, make)
}
