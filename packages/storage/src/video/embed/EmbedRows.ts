import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { EmbedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { lockVideo } from "../write/VideoFiles.ts"

/** Where a video may be embedded: hosts in lower case, in their order. */
export interface EmbedPrivacy {
  readonly policy: EmbedPrivacyPolicy
  readonly domains: ReadonlyArray<string>
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const find = Effect.fn("EmbedRows.find")(function* (videoId: number) {
    const [row] = yield* sql<EmbedPrivacy>`
      select v.embed_privacy_policy as policy,
        array(select d.domain from video_embed_domain d where d.video_id = v.id order by d.domain) as domains
      from video v where v.id = ${videoId}
    `
    return row
  }, withDatabaseErrors)

  const set = Effect.fn("EmbedRows.set")(
    function* (videoId: number, accountId: number, next: EmbedPrivacy) {
      if ((yield* lockVideo(sql, videoId)) === undefined) return false
      yield* sql`
        update video set embed_privacy_policy = ${next.policy}::smallint, updated_at = now() where id = ${videoId}
      `
      yield* sql`delete from video_embed_domain where video_id = ${videoId}`
      yield* sql`
        insert into video_embed_domain (video_id, domain)
        select ${videoId}::integer, d from json_array_elements_text(${JSON.stringify(next.domains)}::text::json) d
      `
      yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.updateEmbedPolicy })
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return EmbedRows.of({ find, set })
})

/** Where videos may be embedded. */
export class EmbedRows extends Context.Service<
  EmbedRows,
  {
    /** Undefined if there is no such video. */
    readonly find: (videoId: number) => Effect.Effect<EmbedPrivacy | undefined, DatabaseUnavailable>
    /** False if there is no such local video. */
    readonly set: (
      videoId: number,
      accountId: number,
      next: EmbedPrivacy
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/embeds/EmbedRows") {
  static readonly layer = Layer.effect(EmbedRows, make)
}
