import type { RequestTimeout } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import {
  ChunkRefused,
  type UploadBeingFinished,
  UploadConflict,
  UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import type { ContentRange } from "@kinora/domain/requests/ContentRange"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UploadKind, UploadResult, UploadSession } from "@kinora/storage/video/upload/UploadSession"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { Context, Duration, Effect, Layer, Option, type Stream } from "effect"
import { acknowledging, receiveBytes } from "./ReceiveBytes.ts"
import { timedBody } from "../../platform/body/TimedBody.ts"
import { isUploadId, UploadDisk } from "../staging/UploadDisk.ts"
import { openUploadFile } from "../../platform/body/UploadFile.ts"
import { type Hold, UploadLock } from "./UploadLock.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

/** Where an upload stands after a request: bytes received so far, or what it became. */
export type UploadProgress =
  | { readonly _tag: "Received"; readonly received: number }
  | { readonly _tag: "Finished"; readonly video: UploadResult }

/** A chunk as a request brings it. `length` is the request's Content-Length where it has one. */
export interface Chunk<E> {
  readonly range: ContentRange
  readonly length: number | undefined
  readonly body: Stream.Stream<Uint8Array, E>
}

/** What an upload is for. One of another purpose is as good as unknown. */
export interface Purpose<U, F> {
  readonly kind: UploadKind
  /** The video whose source it replaces; null when it becomes something new. */
  readonly videoId: number | null
  /** The refusal of an upload that is not known, or not this user's. */
  readonly unknown: U
  /** Called when all bytes are there, and again when that failed and the client asks again. */
  readonly finish: (session: UploadSession) => Effect.Effect<UploadResult, F>
}

/** What a chunk may be refused for, whatever the upload is for. */
export type ChunksRefused =
  | UploadConflict
  | UploadBeingFinished
  | ChunkRefused
  | RequestTimeout
  | InsufficientStorage
  | DatabaseUnavailable

const make = Effect.gen(function* () {
  const settings = yield* UploadSettings
  const sessions = yield* UploadSessions
  const disk = yield* UploadDisk
  const line = yield* UploadLock
  const lifetime = Duration.toSeconds(settings.expiration)

  const own = Effect.fnUntraced(function* <U, F>(
    user: CurrentUserShape,
    id: string,
    { kind, unknown, videoId }: Purpose<U, F>
  ): Effect.fn.Return<UploadSession, U | DatabaseUnavailable> {
    const session = isUploadId(id) ? yield* sessions.find(id) : Option.none<UploadSession>()
    if (Option.isNone(session)) return yield* Effect.fail(unknown)
    const { userId, ...found } = session.value
    if (userId !== user.id || found.kind !== kind || found.videoId !== videoId) return yield* Effect.fail(unknown)
    return session.value
  })

  /** Bytes that are acknowledged and there: after a crash the smaller of what disk and table say. */
  const reconciled = Effect.fnUntraced(function* (session: UploadSession, hold: Hold) {
    const present = yield* disk.size(session.id)
    if (present >= session.received) return session.received
    yield* sessions.acknowledge(session.id, present, lifetime, hold.token)
    return present
  })

  const receive = Effect.fn("ResumableSessions.receive")(function* <E>(
    session: UploadSession,
    range: ContentRange & { readonly _tag: "Chunk" },
    body: Stream.Stream<Uint8Array, E>,
    received: number,
    hold: Hold
  ) {
    const file = yield* openUploadFile(disk.path(session.id), received)
    const known = acknowledging(file, settings.checkpointBytes, (bytes) =>
      sessions.acknowledge(session.id, bytes, lifetime, hold.token)
    )
    const { next } = yield* timedBody(body, settings)
    const limit = range.end + 1 - received
    const { excess } = yield* receiveBytes({ next, file, acknowledging: known, limit, onBytes: hold.sign })
    if (excess) return yield* new ChunkRefused({ reason: "The chunk is longer than its Content-Range says" })
    return file.position
  }, Effect.scoped)

  const put = Effect.fn("ResumableSessions.put")(function* <E, U, F>(
    user: CurrentUserShape,
    id: string,
    { body, length, range }: Chunk<E>,
    purpose: Purpose<U, F>
  ): Effect.fn.Return<UploadProgress, ChunksRefused | E | U | F> {
    const finish = Effect.fnUntraced(function* (session: UploadSession, hold: Hold) {
      yield* hold.finishing
      return { _tag: "Finished", video: yield* purpose.finish(session) } satisfies UploadProgress
    })
    yield* own(user, id, purpose)
    return yield* line.hold(id, (hold) =>
      Effect.gen(function* () {
        const session = yield* own(user, id, purpose)
        if (range.total !== null && range.total !== session.size) {
          return yield* new UploadConflict({
            reason: "The file has another size than announced",
            received: session.received
          })
        }
        if (session.result !== null) return { _tag: "Finished", video: session.result } satisfies UploadProgress
        const received = yield* reconciled(session, hold)
        if (received === session.size) return yield* finish(session, hold)
        if (range._tag === "Status") return { _tag: "Received", received } satisfies UploadProgress
        if (range.start !== received) {
          return yield* new UploadConflict({ reason: `The next byte is ${received}, not ${range.start}`, received })
        }
        if (length !== undefined && length !== range.end - range.start + 1) {
          return yield* new ChunkRefused({ reason: "Content-Length contradicts Content-Range" })
        }
        const reached = yield* receive(session, range, body, received, hold)
        if (reached === session.size) return yield* finish(session, hold)
        return { _tag: "Received", received: reached } satisfies UploadProgress
      })
    )
  })

  const cancel = Effect.fn("ResumableSessions.cancel")(function* <U, F>(
    user: CurrentUserShape,
    id: string,
    purpose: Purpose<U, F>
  ) {
    yield* own(user, id, purpose)
    yield* line.hold(id, () =>
      Effect.gen(function* () {
        // Clients clean up after an upload that has ended well: its video stays.
        if ((yield* own(user, id, purpose)).result !== null) return
        if (!(yield* sessions.remove(id))) return yield* new UploadNotFound()
        yield* disk.remove(id)
      })
    )
  })

  return ResumableSessions.of({ put, cancel })
})

/** The protocol of resumable uploads, whatever they are for. */
export class ResumableSessions extends Context.Service<
  ResumableSessions,
  {
    /**
     * Takes a chunk that begins where the last one ended; any other is refused and harms nothing. What arrives is
     * acknowledged even when the body ends early.
     */
    readonly put: <E, U, F>(
      user: CurrentUserShape,
      id: string,
      chunk: Chunk<E>,
      purpose: Purpose<U, F>
    ) => Effect.Effect<UploadProgress, ChunksRefused | E | U | F>
    /** Gives an unfinished upload up and removes what arrived; of a finished one nothing is undone. */
    readonly cancel: <U, F>(
      user: CurrentUserShape,
      id: string,
      purpose: Purpose<U, F>
    ) => Effect.Effect<void, U | UploadNotFound | UploadConflict | UploadBeingFinished | DatabaseUnavailable>
  }
>()("@kinora/node/uploads/ResumableSessions") {
  static readonly layer = Layer.effect(ResumableSessions, make)
}
