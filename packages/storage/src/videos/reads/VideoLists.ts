import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../database/DatabaseErrors.ts"
import { videoListStatement } from "./VideoListStatement.ts"
import type { VideoScope, VideoViewer } from "./VideoQuery.ts"

/** Lists of videos as JSON text, `{"total":…,"data":[…]}` (contract: VideoListResponse), answered as it is. */
export class VideoLists extends Context.Service<
  VideoLists,
  {
    /**
     * One page. What only managers may ask for (`include`, `privacyOneOf`, `stateOneOf`) is taken as allowed: the caller
     * has checked. With `skipCount` there is no `total`. `autoTagOneOf` and `includeScheduledLive` have nothing to select
     * from yet and change nothing.
     */
    list(query: VideoListQuery, viewer?: VideoViewer, scope?: VideoScope): Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/reads/VideoLists") {
  static readonly layer = Layer.effect(
    VideoLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let instanceAccount: number | undefined

      /** The account in whose name the instance blocks; made at installation, never replaced. */
      const findInstanceAccount = Effect.map(
        sql<{ id: number }>`
          select c.id from account c join actor a on a.id = c.actor_id
          where a.server_id is null and a.type = 'Application' order by c.id limit 1`,
        (rows) => (instanceAccount = rows[0]?.id)
      )

      const list = Effect.fnUntraced(function* (query: VideoListQuery, viewer?: VideoViewer, scope?: VideoScope) {
        const instance = instanceAccount ?? (yield* findInstanceAccount)
        const blockers = [
          ...(instance === undefined ? [] : [instance]),
          ...(viewer === undefined ? [] : [viewer.accountId])
        ]
        const { text, values } = videoListStatement(query, viewer, scope, blockers)
        const rows = yield* sql.unsafe<{ body: string }>(text, values)
        return rows[0]!.body
      }, withDatabaseErrors)

      return VideoLists.of({ list })
    })
  )
}
