import { commentsPolicyLabels } from "@kinora/domain/enums/CommentsPolicy"
import { embedPrivacyPolicyLabels } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { videoLicenceLabels } from "@kinora/domain/enums/VideoLicence"
import { videoPrivacyLabels } from "@kinora/domain/enums/VideoPrivacy"
import { videoStateLabels } from "@kinora/domain/enums/VideoState"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"

/** Where `instance_setting` has the version that made the texts. */
const versionKey = "read-models"

/** Raised with each change of what the encoders of videos and actors make: texts of another version are voided. */
const encoding = 2

const version = createHash("sha256")
  .update(
    JSON.stringify([
      encoding,
      videoCategoryLabels,
      videoLicenceLabels,
      videoLanguageLabels,
      videoPrivacyLabels,
      videoStateLabels,
      commentsPolicyLabels,
      embedPrivacyPolicyLabels
    ])
  )
  .digest("hex")

/**
 * Holds the read models of videos and actors to this version and to the public origin (`https://videos.example`, no slash
 * at the end). Called at every start: one statement while both are what they were. Else every text is voided, and the
 * refresher makes them anew.
 */
export const prepareReadModels = Effect.fn("ReadModelVersion.prepare")(function* (origin: string) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ same: boolean }>`
    select wire_origin() is not distinct from ${origin}::text and exists (
      select from instance_setting where key = ${versionKey} and value = to_jsonb(${version}::text)
    ) as same`
  if (rows[0]!.same) return
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`
        insert into instance_setting (key, value)
        values ('origin', to_jsonb(${origin}::text)), (${versionKey}, to_jsonb(${version}::text))
        on conflict (key) do update set value = excluded.value, updated_at = now()`
      yield* sql`update video_read_model set summary = null, details = null, object = null`
      yield* sql`update actor_read_model set text = null`
    })
  )
})
