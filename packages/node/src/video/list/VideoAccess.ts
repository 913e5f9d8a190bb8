import { clientKey } from "@kinora/domain/network/ClientKey"
import { VideoState } from "@kinora/domain/enums/VideoState"
import { UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import {
  DoesNotRespectFollowConstraints,
  IncorrectVideoPassword,
  VideoForbidden,
  VideoNotFound,
  VideoRequiresPassword
} from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { VideoTokenResponse } from "@kinora/domain/wire/VideoAnswers"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type VideoFacts, VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { hash, timingSafeEqual } from "node:crypto"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { mayLookUp } from "../../people/rights/LookUpRight.ts"
import type { FileTokenFor } from "./FileTokenSigner.ts"
import { VideoFileTokens } from "./VideoFileTokens.ts"
import { decide, isForEverybody, manages, type NamedBy, namedBy } from "./VideoVisibility.ts"

/** What a request brings that may open a video. */
export interface Presented {
  readonly user: Option.Option<CurrentUserShape>
  readonly password?: string | undefined
  readonly fileToken?: string | undefined
  /** Address of the client: wrong passwords are counted by it. */
  readonly ip?: string | undefined
}

export type AccessRefused =
  | VideoNotFound
  | VideoForbidden
  | DoesNotRespectFollowConstraints
  | UnauthorizedRequest
  | VideoRequiresPassword
  | IncorrectVideoPassword
  | RateLimited
  | DatabaseUnavailable

const same = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"))

/** Headers are read as Latin-1 (RFC 9110, 5.5); a client whose password needs more sends UTF-8. */
const asUtf8 = (header: string): string => Buffer.from(header, "latin1").toString("utf8")

/**
 * Lets a request see a video, or says why not. Everything that answers with a video or a part of one asks here, so that
 * the decision is the same everywhere (`VideoVisibility.ts` has the rule).
 */
export class VideoAccess extends Context.Service<
  VideoAccess,
  {
    /** Finds the video and lets the request see it. */
    readonly open: (id: VideoIdOrUuid, presented: Presented) => Effect.Effect<VideoFacts, AccessRefused>
    /** The same for who watches it: a live that was there does not vanish while it becomes its replay. */
    readonly openWatched: (id: VideoIdOrUuid, presented: Presented) => Effect.Effect<VideoFacts, AccessRefused>
    /** As `open`, for a video that was found already. */
    readonly check: <V extends VideoFacts>(
      video: V,
      presented: Presented,
      named: NamedBy
    ) => Effect.Effect<V, AccessRefused>
    /** As `openWatched`, for a video that was found already. */
    readonly checkWatched: (
      video: VideoFacts,
      presented: Presented,
      named: NamedBy
    ) => Effect.Effect<VideoFacts, AccessRefused>
    /** A token for the files of a video that the request may see; it ends with what the request sees the video by. */
    readonly issueFileToken: (
      video: VideoFacts,
      presented: Presented,
      named: NamedBy
    ) => Effect.Effect<VideoTokenResponse, IncorrectVideoPassword | DatabaseUnavailable>
    /** The token for addresses of its pictures, where the video is not for everybody. */
    readonly pictureToken: (
      video: VideoFacts,
      presented: Presented,
      named: NamedBy
    ) => Effect.Effect<string | undefined, IncorrectVideoPassword | DatabaseUnavailable>
  }
>()("@kinora/node/videos/VideoAccess") {
  static readonly layer = Layer.effect(
    VideoAccess,
    Effect.gen(function* () {
      const { rates_limit, search } = yield* KinoraConfig
      const { remote_uri } = search
      const { max, window } = rates_limit.video_password
      const wrongPasswords = { max, windowMillis: Duration.toMillis(window), exact: true }
      const rows = yield* VideoFactRows
      const reads = yield* VideoReads
      const tokens = yield* VideoFileTokens
      const limits = yield* RateLimitStore

      /** What the video is open to the request by; the password only where one was needed. */
      const openedBy = Effect.fnUntraced(function* (
        video: VideoFacts,
        { password, user }: Presented,
        named: NamedBy
      ): Effect.fn.Return<FileTokenFor, IncorrectVideoPassword | DatabaseUnavailable> {
        if (decide(video, user, named) !== "password") return { user }
        const passwords = yield* rows.passwords(video.id)
        const said = password === undefined ? [] : [password, asUtf8(password)]
        const right = passwords.find((one) => said.some((text) => same(one, text)))
        return right === undefined ? yield* new IncorrectVideoPassword() : { user, password: right }
      })

      const issueFileToken = (video: VideoFacts, presented: Presented, named: NamedBy) =>
        Effect.flatMap(openedBy(video, presented, named), (viewer) => tokens.issue(video, viewer))

      const pictureToken = (video: VideoFacts, presented: Presented, named: NamedBy) =>
        isForEverybody(video)
          ? Effect.undefined
          : Effect.flatMap(openedBy(video, presented, named), (viewer) => tokens.forPictures(video, viewer))

      const checkPassword = Effect.fnUntraced(function* <V extends VideoFacts>(
        video: V,
        presented: Presented
      ): Effect.fn.Return<V, AccessRefused> {
        if (presented.password === undefined || presented.password === "") return yield* new VideoRequiresPassword()
        const key = `video-password ${video.id} ${clientKey(presented.ip ?? "")}`
        const now = yield* Clock.currentTimeMillis
        // Counted before it is compared and taken back when right, so that tries sent at once count too.
        const count = yield* limits.hit(key, wrongPasswords, now)
        if (count.used > wrongPasswords.max) {
          return yield* RateLimited.until(count.resetAt, now)
        }
        const passwords = yield* rows.passwords(video.id)
        const said = [presented.password, asUtf8(presented.password)]
        if (!passwords.some((password) => said.some((text) => same(password, text))))
          return yield* new IncorrectVideoPassword()
        yield* limits.refund(key, wrongPasswords, now)
        return video
      })

      /**
       * What the instance does not follow was brought here by a user who looked it up or subscribed to its channel: it is for
       * those who may look things up, for who subscribes and for who manages it. Files are named in lists, which show it.
       */
      const respectFollows = Effect.fnUntraced(function* <V extends VideoFacts>(
        video: V,
        { user }: Presented,
        named: NamedBy
      ): Effect.fn.Return<V, AccessRefused> {
        if (!video.remote || named === "file") return video
        if (mayLookUp(remote_uri, user) || manages(video, user)) return video
        const accountId = Option.getOrUndefined(user)?.accountId
        if (yield* rows.isFollowed(video.id, accountId)) return video
        return yield* new DoesNotRespectFollowConstraints({})
      })

      const check = Effect.fnUntraced(function* <V extends VideoFacts>(
        video: V,
        presented: Presented,
        named: NamedBy
      ): Effect.fn.Return<V, AccessRefused> {
        const decision = decide(video, presented.user, named)
        if (decision === "open") return yield* respectFollows(video, presented, named)
        if (presented.fileToken !== undefined) {
          const reason = Option.getOrUndefined(yield* tokens.reason(presented.fileToken, video))
          if (reason?._tag === "Password" && decision === "password") return video
          if (reason?._tag === "User" && decide(video, Option.some(reason.user), named) === "open") return video
        }
        switch (decision) {
          case "password":
            return yield* checkPassword(video, presented)
          case "login":
            return yield* new UnauthorizedRequest()
          case "forbidden":
            return yield* new VideoForbidden()
          case "hidden":
          case "preparing":
            return yield* new VideoNotFound()
        }
      })

      const open = Effect.fnUntraced(function* (id: VideoIdOrUuid, presented: Presented) {
        return yield* check(yield* reads.access(id), presented, namedBy(id))
      })

      const checkWatched = Effect.fnUntraced(function* (video: VideoFacts, presented: Presented, named: NamedBy) {
        const isPreparing = video.state === VideoState.toTranscode
        const state = isPreparing && (yield* rows.becomesReplay(video.id)) ? VideoState.published : video.state
        return yield* check({ ...video, state }, presented, named)
      })

      const openWatched = Effect.fnUntraced(function* (id: VideoIdOrUuid, presented: Presented) {
        return yield* checkWatched(yield* reads.access(id), presented, namedBy(id))
      })

      return VideoAccess.of({ open, openWatched, check, checkWatched, issueFileToken, pictureToken })
    })
  )
}
