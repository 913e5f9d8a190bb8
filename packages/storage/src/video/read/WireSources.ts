import { channelActivityActionLabels, channelActivityTargetLabels } from "@kinora/domain/enums/ChannelActivity"
import { collaboratorStateLabels } from "@kinora/domain/enums/CollaboratorState"
import { commentsPolicyLabels } from "@kinora/domain/enums/CommentsPolicy"
import { embedPrivacyPolicyLabels } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { ownershipStateLabels } from "@kinora/domain/enums/OwnershipState"
import { playlistPrivacyLabels } from "@kinora/domain/enums/PlaylistPrivacy"
import { playlistTypeLabels } from "@kinora/domain/enums/PlaylistType"
import { videoImportStateLabels } from "@kinora/domain/enums/VideoImportState"
import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { videoLicenceLabels } from "@kinora/domain/enums/VideoLicence"
import { videoPrivacyLabels } from "@kinora/domain/enums/VideoPrivacy"
import { videoStateLabels } from "@kinora/domain/enums/VideoState"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const labels = Object.entries({
  category: videoCategoryLabels,
  licence: videoLicenceLabels,
  language: videoLanguageLabels,
  privacy: videoPrivacyLabels,
  state: videoStateLabels,
  commentsPolicy: commentsPolicyLabels,
  embedPrivacyPolicy: embedPrivacyPolicyLabels,
  collaboratorState: collaboratorStateLabels,
  ownershipState: ownershipStateLabels,
  videoImportState: videoImportStateLabels,
  playlistPrivacy: playlistPrivacyLabels,
  playlistType: playlistTypeLabels,
  channelActivityAction: channelActivityActionLabels,
  channelActivityTarget: channelActivityTargetLabels
}).flatMap(([kind, byId]) => Object.entries(byId).map(([id, label]) => ({ kind, id, label })))

/**
 * Tells the database what its ready answers are made of besides rows: the public origin (`https://videos.example`, no
 * slash at the end) and the labels of this version. Called at every start, in one statement while nothing has changed;
 * when something has, every ready answer is voided, and the refresher makes them anew.
 */
export const prepareWire = Effect.fn("WireSources.prepare")(function* (origin: string) {
  const sql = yield* SqlClient
  const values = JSON.stringify(labels)
  const rows = yield* sql<{ same: boolean }>`
    select wire_origin() is not distinct from ${origin}::text and (
      select count(*) from jsonb_to_recordset(${values}::jsonb) as l (kind text, id text, label text)
      join wire_label w using (kind, id, label)
    ) = ${labels.length} as same`
  if (rows[0]!.same) return
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`
        insert into instance_setting (key, value) values ('origin', to_jsonb(${origin}::text))
        on conflict (key) do update set value = excluded.value, updated_at = now()`
      yield* sql`
        insert into wire_label (kind, id, label)
        select kind, id, label from jsonb_to_recordset(${values}::jsonb) as l (kind text, id text, label text)
        on conflict (kind, id) do update set label = excluded.label`
      yield* sql`update video_wire set summary = null, details = null`
      yield* sql`update actor_wire set wire = null`
    })
  )
})
