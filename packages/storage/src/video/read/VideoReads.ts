import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { makeAskedAnswers } from "./AskedAnswers.ts"
import type { VideoFacts } from "../access/VideoFacts.ts"
import type { VideoViewer } from "./VideoQuery.ts"

/** What decides who may see a video and its files. */
export interface VideoAccess extends VideoFacts {
  /** User of the owner's account; null for videos of other instances. */
  readonly ownerUserId: number | null
  readonly waitTranscoding: boolean
  readonly downloadEnabled: boolean
}

interface Found extends VideoWithBody {
  readonly unready: boolean
}

export interface VideoWithBody extends VideoAccess {
  /** JSON text of the details (contract: VideoDetails), answered as it is once access was decided. */
  readonly body: string
}

const accessColumns = `v.id, v.uuid, v.privacy, v.state, v.account_id as "accountId", v.channel_id as "channelId",
  a.user_id as "ownerUserId", v.remote, b.id is not null as blacklisted, v.wait_transcoding as "waitTranscoding",
  v.download_enabled as "downloadEnabled"`

/** One look into an index, spared where nobody is logged in. */
const collaborators = `array(
  select k.account_id from video_channel_collaborator k where k.channel_id = v.channel_id and k.state = 2
) as collaborators`
const nobody = `'{}'::integer[] as collaborators`

const accessTables = `video v join account a on a.id = v.account_id
  left join video_blacklist b on b.video_id = v.id`

const body = (history: string) =>
  `'{' || coalesce(w.details, wire_video_details(v.id)) || ',"account":' || coalesce(aw.wire, wire_account(a.id))
    || ',"channel":' || coalesce(cw.wire, wire_channel(c.id)) || ${history} || '}' as body,
  w.details is null as unready`

const bodyTables = `${accessTables} join video_channel c on c.id = v.channel_id
  left join video_wire w on w.video_id = v.id left join actor_wire aw on aw.actor_id = a.actor_id
  left join actor_wire cw on cw.actor_id = c.actor_id`

const history = `coalesce((select ',"userHistory":{"currentTime":' || h.current_time_seconds || '}'
  from user_video_history h where h.user_id = $2 and h.video_id = v.id), '')`

const named = { Id: "v.id = $1", Uuid: "v.uuid = $1::uuid" } as const

const statements = {
  access: (by: keyof typeof named) =>
    `select ${accessColumns}, ${collaborators} from ${accessTables} where ${named[by]}`,
  anonymous: (by: keyof typeof named) =>
    `select ${accessColumns}, ${nobody}, ${body("''")} from ${bodyTables} where ${named[by]}`,
  viewer: (by: keyof typeof named) =>
    `select ${accessColumns}, ${collaborators}, ${body(history)} from ${bodyTables} where ${named[by]}`
}

const both = (statement: (by: keyof typeof named) => string) => ({ Id: statement("Id"), Uuid: statement("Uuid") })
const accessBy = both(statements.access)
const anonymous = both(statements.anonymous)
const forViewer = both(statements.viewer)

/** The statement that reads the details of a video; its values are the name and, for a viewer, the row id of the user. */
export const detailsStatement = (by: keyof typeof named, viewer: boolean): string =>
  (viewer ? forViewer : anonymous)[by]

/** One video, by row id or UUID. Whether the reader may see it is the caller's to decide from what comes with it. */
export class VideoReads extends Context.Service<
  VideoReads,
  {
    details(
      video: VideoIdOrUuid,
      viewer?: VideoViewer
    ): Effect.Effect<VideoWithBody, VideoNotFound | DatabaseUnavailable>
    access(video: VideoIdOrUuid): Effect.Effect<VideoAccess, VideoNotFound | DatabaseUnavailable>
  }
>()("@kinora/storage/videos/reads/VideoReads") {
  static readonly layer = Layer.effect(
    VideoReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const asked = makeAskedAnswers(sql, yield* Effect.scope)

      const one = <A>(rows: Effect.Effect<ReadonlyArray<A>, SqlError>) =>
        withDatabaseErrors(
          Effect.flatMap(rows, (found) =>
            found[0] === undefined ? Effect.fail(new VideoNotFound()) : Effect.succeed(found[0])
          )
        )

      const key = (video: VideoIdOrUuid) => (video._tag === "Id" ? video.id : video.uuid)

      return VideoReads.of({
        details: (video, viewer) =>
          Effect.flatMap(
            one(
              viewer === undefined
                ? sql.unsafe<Found>(detailsStatement(video._tag, false), [key(video)])
                : sql.unsafe<Found>(detailsStatement(video._tag, true), [key(video), viewer.userId])
            ),
            (found) => (found.unready ? Effect.as(asked([found.id]), found) : Effect.succeed(found))
          ),
        access: (video) => one(sql.unsafe<VideoAccess>(accessBy[video._tag], [key(video)]))
      })
    })
  )
}
