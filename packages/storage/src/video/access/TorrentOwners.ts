import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { VideoFacts } from "./VideoFacts.ts"

/** A video that shares one of its files under this info hash. Files with the same bytes and name have the same hash. */
export interface TorrentOwner extends Pick<VideoFacts, "privacy" | "blacklisted" | "remote"> {
  /** 40 hexadecimal digits, lower case. */
  readonly infoHash: string
}

/** Finds the videos of torrents: of web videos and HLS renditions. */
export class TorrentOwners extends Context.Service<
  TorrentOwners,
  {
    readonly byInfoHash: (
      infoHashes: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<TorrentOwner>, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/access/TorrentOwners") {
  static readonly layer = Layer.effect(
    TorrentOwners,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return TorrentOwners.of({
        byInfoHash: (infoHashes) =>
          withDatabaseErrors(sql<TorrentOwner>`
            select f.info_hash as "infoHash", v.privacy, v.remote,
              exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted
            from video_file f left join streaming_playlist p on p.id = f.streaming_playlist_id
            join video v on v.id = coalesce(f.video_id, p.video_id)
            where f.info_hash = any(${infoHashes}::text[])`)
      })
    })
  )
}
