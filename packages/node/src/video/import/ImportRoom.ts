import { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import { ImportRows } from "@kinora/storage/video/import/ImportRows"
import type { UploadChannel } from "@kinora/storage/video/upload/UploadChannels"
import { Effect } from "effect"

/** Requires space for one byte at least of the user who pays for a channel: the size of its videos is not known yet. */
export const makeRoomCheck = Effect.gen(function* () {
  const rows = yield* ImportRows
  return Effect.fnUntraced(function* (payer: Pick<UploadChannel, "userId" | "videoQuota" | "videoQuotaDaily">) {
    if (payer.videoQuota === -1 && payer.videoQuotaDaily === -1) return
    const { reserved, reservedDaily, used, usedDaily } = yield* rows.usage(payer.userId)
    if (payer.videoQuota !== -1 && used + reserved >= payer.videoQuota) return yield* new QuotaReached({})
    if (payer.videoQuotaDaily !== -1 && usedDaily + reservedDaily >= payer.videoQuotaDaily) {
      return yield* new QuotaReached({ daily: true })
    }
  })
})
