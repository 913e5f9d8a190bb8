import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { keyOf, named, type ObjectFound } from "./ObjectFound.ts"

/** What stands below the address of a video. */
export type VideoPart = "object" | "activity" | "chapters" | "playerSettings"

const object = "coalesce(w.object, ap_video_kept(v.id))"

const texts: Readonly<Record<VideoPart, string>> = {
  object,
  activity: `(select '{' || ap_audience(a.url, v.privacy = 1) || ',"type":"Create","id":' || to_json(v.url || '/activity')
    || ',"actor":' || to_json(a.url) || ',"object":' || ${object} || '}'
    from account o join actor a on a.id = o.actor_id where o.id = v.account_id)`,
  chapters: "ap_chapters(v.id)",
  playerSettings: "ap_player_settings(v.id)"
}

const statement = (id: VideoIdOrUuid, part: VideoPart): string => `
  select case when not v.remote and video_is_dereferenced(v.id) then ${texts[part]} end as text,
    case when v.remote and v.privacy in (1, 2) then v.url end as elsewhere
  from video v left join video_wire w on w.video_id = v.id where ${named(id, "v")}`

type Read<A> = Effect.Effect<Option.Option<A>, DatabaseUnavailable>

/** Videos as other servers read them (contract: activitypub.json). `video_is_dereferenced` decides what is shown. */
export class VideoObjects extends Context.Service<
  VideoObjects,
  {
    readonly read: (id: VideoIdOrUuid, part: VideoPart) => Read<ObjectFound>
    /** That the video's channel or the instance passes the video on, by the row id of the actor. */
    readonly announce: (id: VideoIdOrUuid, actorId: number) => Read<ObjectFound>
    /** The copy that this instance keeps of a video. */
    readonly cacheFile: (id: VideoIdOrUuid) => Read<ObjectFound>
    /** What was told of somebody here who watched a video elsewhere, as long as it is being told. */
    readonly watchAction: (uuid: string) => Read<ObjectFound>
  }
>()("@kinora/storage/activitypub/VideoObjects") {
  static readonly layer = Layer.effect(
    VideoObjects,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const one = (text: string, values: ReadonlyArray<unknown>) =>
        withDatabaseErrors(Effect.map(sql.unsafe<ObjectFound>(text, values), (rows) => Option.fromUndefinedOr(rows[0])))

      return VideoObjects.of({
        read: (id, part) => one(statement(id, part), [keyOf(id)]),
        announce: (id, actorId) =>
          one(
            `select case when a.server_id is null and v.privacy = 1 and video_is_dereferenced(v.id)
                then ap_announce(v.id, a.id) end as text,
              (select s.url from video_share s where a.server_id is not null and s.video_id = v.id and s.actor_id = a.id)
                as elsewhere
            from video v join video_channel c on c.id = v.channel_id, actor a
            where ${named(id, "v")} and a.id = $2
              and (a.id = c.actor_id or a.type = 'Application' or a.server_id is not null)`,
            [keyOf(id), actorId]
          ),
        cacheFile: (id) =>
          one(
            `select ap_cache_file(r.id) as text, null as elsewhere
            from video v join video_redundancy r on r.video_id = v.id
            where ${named(id, "v")} and r.strategy is not null and v.privacy in (1, 2) order by r.id limit 1`,
            [keyOf(id)]
          ),
        watchAction: (uuid) =>
          one(
            `select (body -> 'object')::text as text, null as elsewhere
            from activity where uri = wire_origin() || '/videos/local-viewer/' || $1 || '/activity'`,
            [uuid]
          )
      })
    })
  )
}
