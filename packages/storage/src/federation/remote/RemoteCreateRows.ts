import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { NewRemoteVideo } from "./RemoteVideoRows.ts"

/** A video that a row of the inbox brings. */
export interface CreatedVideo {
  readonly row: number
  /** Null: whose the channel is. */
  readonly account: number | null
  readonly channel: number
  readonly video: NewRemoteVideo
}

/** A comment that a row of the inbox brings. */
export interface CreatedComment {
  readonly row: number
  readonly url: string
  /** Address of the video or the comment that it is below. */
  readonly parent: string
  readonly account: number
  readonly text: string
  readonly published: string | null
  readonly updated: string | null
  /** People are told of it. */
  readonly news: boolean
}

/** A row that was applied, and the video it became. */
export interface AppliedCreate {
  readonly activity: number
  readonly videoId: number | null
}

/** Creates of a host, applied many at a time (sql/federation/functions/remote-batches.sql). */
export class RemoteCreateRows extends Context.Service<
  RemoteCreateRows,
  {
    /**
     * Writes what is new and needs nothing to be asked for, in the order of the rows, videos before comments, and marks their
     * rows, by one statement. Answers which these were: what is known already, what may not be written and what lacks
     * something still waits, as does everything while another node works for the host.
     */
    readonly apply: (
      host: string,
      videos: ReadonlyArray<CreatedVideo>,
      comments: ReadonlyArray<CreatedComment>
    ) => Effect.Effect<ReadonlyArray<AppliedCreate>, DatabaseUnavailable>
  }
>()("@kinora/storage/remote/RemoteCreateRows") {
  static readonly layer = Layer.effect(
    RemoteCreateRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const apply: RemoteCreateRows["Service"]["apply"] = (host, videos, comments) =>
        withDatabaseErrors(sql<AppliedCreate>`
          select activity, video_id as "videoId" from inbox_apply_creates(
            ${host}::citext, ${JSON.stringify(videos)}::text::jsonb, ${JSON.stringify(comments)}::text::jsonb
          )`)
      return RemoteCreateRows.of({ apply })
    })
  )
}
