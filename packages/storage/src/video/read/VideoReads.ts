import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { actorTexts } from "../../people/actor/ActorTexts.ts"
import { makeReadModelRequests } from "./ReadModelRequests.ts"
import { countColumns } from "./ShownVideos.ts"
import { countMembers, type VideoCounts } from "./VideoJson.ts"
import { makeVideoDetails } from "./VideoTexts.ts"
import type { VideoFacts } from "../access/VideoFacts.ts"
import type { VideoViewer } from "./VideoQuery.ts"

/** What decides who may see a video and its files. */
export interface VideoAccess extends VideoFacts {
  /** User of the owner's account; null for videos of other instances. */
  readonly ownerUserId: number | null
  readonly waitTranscoding: boolean
  readonly downloadEnabled: boolean
}

/** What the details are made of: texts that are null are not kept at the moment. */
interface Found extends VideoAccess, VideoCounts {
  readonly details: string | null
  readonly account: string | null
  readonly accountActorId: number
  readonly channel: string | null
  readonly channelActorId: number
  readonly currentTime: number | null
}

export interface VideoWithBody extends VideoAccess {
  /** JSON text of the details (contract: VideoDetails), answered as it is once access was decided. */
  readonly body: Json<VideoDetails>
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

const bodyColumns = `${countColumns}, w.details, aw.text as account, a.actor_id as "accountActorId",
  cw.text as channel, c.actor_id as "channelActorId"`

const bodyTables = `${accessTables} join video_channel c on c.id = v.channel_id
  left join video_read_model w on w.video_id = v.id left join actor_read_model aw on aw.actor_id = a.actor_id
  left join actor_read_model cw on cw.actor_id = c.actor_id`

const currentTime = `(select h.current_time_seconds from user_video_history h where h.user_id = $2 and h.video_id = v.id)`

const named = { Id: "v.id = $1", Uuid: "v.uuid = $1::uuid" } as const

const statements = {
  access: (by: keyof typeof named) =>
    `select ${accessColumns}, ${collaborators} from ${accessTables} where ${named[by]}`,
  anonymous: (by: keyof typeof named) =>
    `select ${accessColumns}, ${nobody}, ${bodyColumns}, null::integer as "currentTime" from ${bodyTables} where ${named[by]}`,
  viewer: (by: keyof typeof named) =>
    `select ${accessColumns}, ${collaborators}, ${bodyColumns}, ${currentTime} as "currentTime"
      from ${bodyTables} where ${named[by]}`
}

const both = (statement: (by: keyof typeof named) => string) => ({ Id: statement("Id"), Uuid: statement("Uuid") })
const accessBy = both(statements.access)
const anonymous = both(statements.anonymous)
const forViewer = both(statements.viewer)

/** The statement that reads the details of a video; its values are the name and, for a viewer, the row id of the user. */
export const detailsStatement = (by: keyof typeof named, viewer: boolean): string =>
  (viewer ? forViewer : anonymous)[by]

/** The body of an answer, of its texts. */
const joined = (found: Found, details: string, account: string, channel: string): Json<VideoDetails> => {
  const history = found.currentTime === null ? "" : `,"userHistory":{"currentTime":${found.currentTime}}`
  return jsonOf(`${details}${countMembers(found)},"account":${account},"channel":${channel}${history}}`)
}

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
      const asked = makeReadModelRequests(sql, yield* Effect.scope)

      const one = <A>(rows: Effect.Effect<ReadonlyArray<A>, SqlError>) =>
        withDatabaseErrors(
          Effect.flatMap(rows, (found) =>
            found[0] === undefined ? Effect.fail(new VideoNotFound()) : Effect.succeed(found[0])
          )
        )

      const key = (video: VideoIdOrUuid) => (video._tag === "Id" ? video.id : video.uuid)

      /** The body where texts are missing; undefined when the video is gone meanwhile. */
      const made = Effect.fnUntraced(function* (found: Found) {
        const details = found.details ?? (yield* makeVideoDetails(sql, [found.id])).get(found.id)
        const [account = "", channel = ""] = yield* actorTexts(sql, [
          { actorId: found.accountActorId, text: found.account },
          { actorId: found.channelActorId, text: found.channel }
        ])
        if (found.details === null) yield* asked([found.id])
        return details === undefined || account === "" || channel === ""
          ? undefined
          : joined(found, details, account, channel)
      })

      return VideoReads.of({
        details: Effect.fnUntraced(function* (video, viewer) {
          const found = yield* one(
            viewer === undefined
              ? sql.unsafe<Found>(detailsStatement(video._tag, false), [key(video)])
              : sql.unsafe<Found>(detailsStatement(video._tag, true), [key(video), viewer.userId])
          )
          const body =
            found.details !== null && found.account !== null && found.channel !== null
              ? joined(found, found.details, found.account, found.channel)
              : yield* withDatabaseErrors(made(found))
          return body === undefined ? yield* new VideoNotFound() : { ...found, body }
        }),
        access: (video) => one(sql.unsafe<VideoAccess>(accessBy[video._tag], [key(video)]))
      })
    })
  )
}
