import { clientKey } from "@kinora/domain/network/ClientKey"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { DownloadCountRows } from "@kinora/storage/video/download/DownloadCountRows"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { DownloadSettings } from "./DownloadSettings.ts"

/**
 * Whether a request begins a download. A request that resumes one or fetches another range belongs to the same
 * download.
 */
const begins = (request: HttpServerRequest): boolean => {
  const range = request.headers["range"]
  return request.method === "GET" && (range === undefined || /^bytes=0-/i.test(range))
}

/**
 * Counts the downloads of videos, once per client within a period. Counts are collected and written together, because
 * each write to a video voids the text that other instances read.
 */
export class DownloadCounts extends Context.Service<
  DownloadCounts,
  {
    /** Notes that a video is being downloaded. A response without a body does not count. */
    readonly note: (request: HttpServerRequest, response: HttpServerResponse, videoId: number) => Effect.Effect<void>
    /** Writes the collected counts. */
    readonly write: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/downloads/DownloadCounts") {
  static readonly layer = Layer.effect(
    DownloadCounts,
    Effect.gen(function* () {
      const rows = yield* DownloadCountRows
      const limits = yield* RateLimitStore
      const settings = yield* DownloadSettings
      const supervisor = yield* Supervisor
      const once = { max: 1, windowMillis: Duration.toMillis(settings.countedOnce), exact: true }
      let noted = new Map<number, number>()

      const add = (videoId: number, more: number) => noted.set(videoId, (noted.get(videoId) ?? 0) + more)

      const note = Effect.fnUntraced(function* (
        request: HttpServerRequest,
        response: HttpServerResponse,
        videoId: number
      ) {
        if (response.status > 206 || !begins(request)) return
        const client = clientKey(Option.getOrElse(request.remoteAddress, () => ""))
        const known = yield* limits.hit(`downloaded ${videoId} ${client}`, once, yield* Clock.currentTimeMillis)
        if (known.used === 1) add(videoId, 1)
      })

      const write = Effect.suspend(() => {
        if (noted.size === 0) return Effect.void
        const batch = noted
        noted = new Map()
        return Effect.onError(rows.count(batch), () =>
          Effect.sync(() => {
            for (const [videoId, more] of batch) add(videoId, more)
          })
        )
      }).pipe(Effect.uninterruptible)

      yield* Effect.addFinalizer(() =>
        Effect.ignore(write, { log: "Warn", message: "The last counts of downloads could not be written" })
      )
      yield* supervisor.run("counts of downloads", every(settings.countsWritten, write))
      return DownloadCounts.of({ note, write })
    })
  )
}
