import { Conflict, UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import {
  type QuotaReached,
  type UploadBeingFinished,
  type UploadConflict,
  UploadNotFound
} from "@kinora/domain/errors/UploadErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { UploadSession } from "@kinora/storage/video/upload/UploadSession"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { userImportObject, UserImportRows } from "@kinora/storage/archive/import/UserImportRows"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { Admission } from "../../video/upload/Admission.ts"
import {
  type Chunk,
  type ChunksRefused,
  ResumableSessions,
  type UploadProgress
} from "../../video/upload/ResumableSessions.ts"
import { isUploadId, UploadDisk } from "../../video/staging/UploadDisk.ts"
import type { Announced } from "../../video/upload/UploadFields.ts"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"

const underWay = () => new Conflict({ reason: "An archive is being imported: wait until it is done" })

type FinishRefused = Conflict | UploadNotFound | InsufficientStorage | DatabaseUnavailable

const make = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const settings = yield* UploadSettings
  const admission = yield* Admission
  const sessions = yield* UploadSessions
  const disk = yield* UploadDisk
  const line = yield* ResumableSessions
  const objects = yield* ObjectStore
  const imports = yield* UserImportRows
  const audit = yield* AuditTrail

  const create = Effect.fn("UserImportUploads.create")(function* (
    asker: CurrentUserShape,
    userId: number,
    filename: string,
    announced: Announced,
    id: string
  ) {
    if (!config.import.users.enabled) return yield* new Forbidden({ reason: "This instance does not import archives" })
    if (yield* imports.underWay(userId)) return yield* underWay()
    // Each video of the archive has to fit into the quota by itself. The archive is deleted after the import.
    const limits = yield* admission.limits({ videoQuota: yield* imports.quota(userId), videoQuotaDaily: -1 })
    const session = {
      id,
      kind: "user-import" as const,
      userId: asker.id,
      payerId: userId,
      filename,
      contentType: announced.contentType,
      size: announced.size,
      metadata: null,
      lifetimeSeconds: Duration.toSeconds(settings.expiration)
    }
    yield* sessions.open(session, limits).pipe(Effect.catchTag("UploaderGone", () => Effect.fail(new UserNotFound())))
  })

  const finish = Effect.fn("UserImportUploads.finish")(function* (
    asker: CurrentUserShape,
    { filename, id, payerId, size }: UploadSession
  ) {
    const uuid = uuidOf(id, "user import")
    const adopt = Effect.gen(function* () {
      if ((yield* disk.size(id)) > 0) yield* objects.put(userImportObject(uuid), disk.path(id))
      const created = imports.create({
        uploadId: id,
        userId: payerId,
        uuid,
        filename,
        size,
        replaySeconds: Duration.toSeconds(settings.replay)
      })
      const entry = { domain: "user-import", action: "create", target: { userId: payerId, filename, size } }
      return yield* asker.id === payerId ? created : audit.act(asker, entry, created)
    })
    return yield* imports.using(uuid, adopt).pipe(
      Effect.catchTags({
        ImportUploadGone: () => Effect.fail(new UploadNotFound()),
        ImportUnderWay: () =>
          Effect.andThen(Effect.andThen(sessions.remove(id), disk.remove(id)), Effect.fail(underWay()))
      })
    )
    // A client that disconnects now does not cancel its import.
  }, Effect.uninterruptible)

  const purpose = (asker: CurrentUserShape) => ({
    kind: "user-import" as const,
    videoId: null,
    unknown: new UploadNotFound(),
    finish: (session: UploadSession) => finish(asker, session)
  })

  /** Checks that the upload is for this user: a client may act for several users. */
  const known = Effect.fnUntraced(function* (asker: CurrentUserShape, userId: number, id: string) {
    const session = isUploadId(id) ? yield* sessions.find(id) : Option.none<UploadSession>()
    if (Option.isNone(session)) return yield* new UploadNotFound()
    const { kind, payerId, userId: sender } = session.value
    if (kind !== "user-import" || payerId !== userId || sender !== asker.id) return yield* new UploadNotFound()
    return session.value
  })

  return UserImportUploads.of({
    create,
    put: (asker, userId, id, chunk) =>
      Effect.andThen(known(asker, userId, id), line.put(asker, id, chunk, purpose(asker))),
    received: (asker, userId, id) => Effect.map(known(asker, userId, id), ({ received }) => received),
    cancel: (asker, userId, id) => Effect.andThen(known(asker, userId, id), line.cancel(asker, id, purpose(asker)))
  })
})

/** Resumable uploads of archives. Whether the client may import into the account is checked by the caller. */
export class UserImportUploads extends Context.Service<
  UserImportUploads,
  {
    /** Checks everything that can be checked before the bytes arrive, and reserves space in the user's quota. */
    readonly create: (
      asker: CurrentUserShape,
      userId: number,
      filename: string,
      announced: Announced,
      id: string
    ) => Effect.Effect<
      void,
      Forbidden | Conflict | UserNotFound | QuotaReached | InsufficientStorage | RateLimited | DatabaseUnavailable
    >
    /** Takes the next chunk. The last chunk creates the import job. */
    readonly put: <E>(
      asker: CurrentUserShape,
      userId: number,
      id: string,
      chunk: Chunk<E>
    ) => Effect.Effect<UploadProgress, E | ChunksRefused | FinishRefused>
    /** Bytes received so far. */
    readonly received: (
      asker: CurrentUserShape,
      userId: number,
      id: string
    ) => Effect.Effect<number, UploadNotFound | DatabaseUnavailable>
    readonly cancel: (
      asker: CurrentUserShape,
      userId: number,
      id: string
    ) => Effect.Effect<void, UploadNotFound | UploadConflict | UploadBeingFinished | DatabaseUnavailable>
  }
>()("@kinora/node/userimports/UserImportUploads") {
  static readonly layer = Layer.effect(UserImportUploads, make)
}
