import { Conflict, UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { UserExportLinkRefused, UserExportNotFound, UserExportTooLarge } from "@kinora/domain/errors/ArchiveErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { UserArchiveState, userArchiveStateLabels } from "@kinora/domain/enums/UserArchiveState"
import { labelled } from "@kinora/domain/enums/Labelled"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UserExport } from "@kinora/domain/wire/UserArchive"
import { type ListedExport, type ReadyExport, UserExportRows } from "@kinora/storage/archive/export/UserExportRows"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { Context, Effect, Layer, Option } from "effect"
import { AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { isRoot, mayOnUser } from "../../people/rights/UserRights.ts"
import { UserExportLinks } from "./UserExportLinks.ts"

type NotAllowed = UserNotFound | Forbidden | DatabaseUnavailable

const make = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const logins = yield* LoginRows
  const rows = yield* UserExportRows
  const links = yield* UserExportLinks
  const audit = yield* AuditTrail
  const settings = config.export.users

  const decide = Effect.fnUntraced(function* (asker: CurrentUserShape, userId: number) {
    const facts = yield* logins.facts(userId)
    if (Option.isNone(facts)) return yield* new UserNotFound()
    if (mayOnUser(asker, "exports", { ...facts.value, isRoot: isRoot(facts.value) })) return
    return yield* new Forbidden({ reason: "These archives belong to another user" })
  })

  /** Adds the entry of what an administrator does for somebody else. */
  const around = (
    asker: CurrentUserShape,
    userId: number,
    action: string,
    details: Readonly<Record<string, unknown>>
  ) =>
    asker.id === userId
      ? unaudited
      : audit.around(asker, { domain: "user-export", action, target: { userId, ...details } })

  const request = Effect.fn("UserExports.request")(function* (
    asker: CurrentUserShape,
    userId: number,
    withVideoFiles: boolean
  ) {
    yield* decide(asker, userId)
    if (!settings.enabled) return yield* new Forbidden({ reason: "This instance does not export archives of users" })
    if (withVideoFiles && (yield* rows.videoBytes(userId)) > settings.max_user_video_quota) {
      return yield* new UserExportTooLarge()
    }
    const requested = around(asker, userId, "request", { withVideoFiles })(rows.request(userId, withVideoFiles))
    return yield* requested.pipe(
      Effect.catchTags({
        ExporterGone: () => Effect.fail(new UserNotFound()),
        ExportThere: () =>
          Effect.fail(
            new Conflict({ reason: "An archive exists already or is being made: delete it to request another" })
          )
      })
    )
  })

  const wire = Effect.fnUntraced(function* (one: ListedExport) {
    const { createdAt, error, expired, expiresOn, id, size, state, uuid } = one
    const ready = state === UserArchiveState.completed && !expired
    return {
      id,
      state: labelled(state, userArchiveStateLabels),
      ...(size === null ? {} : { size: Number(size) }),
      ...(ready
        ? {
            privateDownloadUrl: `${config.derived.origin}/download/user-exports/${uuid}.zip?jwt=${yield* links.issue(uuid)}`
          }
        : {}),
      createdAt,
      ...(expiresOn === null ? {} : { expiresOn }),
      ...(error === null || state !== UserArchiveState.errored ? {} : { error })
    } satisfies UserExport
  })

  const list = Effect.fn("UserExports.list")(function* (asker: CurrentUserShape, userId: number) {
    yield* decide(asker, userId)
    const found = yield* rows.list(userId)
    return { total: found.length, data: yield* Effect.forEach(found, wire) }
  })

  const remove = Effect.fn("UserExports.remove")(function* (asker: CurrentUserShape, userId: number, exportId: number) {
    yield* decide(asker, userId)
    const removed = around(asker, userId, "delete", { exportId })(rows.remove(userId, exportId))
    if (!(yield* removed)) return yield* new UserExportNotFound()
  })

  const open = Effect.fn("UserExports.open")(function* (uuid: string, token: string) {
    if (!(yield* links.opens(token, uuid))) return yield* new UserExportLinkRefused()
    const ready = yield* rows.ready(uuid)
    if (Option.isNone(ready)) return yield* new UserExportNotFound()
    return ready.value.expired ? yield* new UserExportLinkRefused() : ready.value
  })

  return UserExports.of({ request, list, remove, open })
})

/** Archives of users' data on this instance. */
export class UserExports extends Context.Service<
  UserExports,
  {
    /** Queues an archive and returns its id. A user can have only one, finished or in progress. */
    readonly request: (
      asker: CurrentUserShape,
      userId: number,
      withVideoFiles: boolean
    ) => Effect.Effect<number, NotAllowed | UserExportTooLarge | Conflict>
    readonly list: (
      asker: CurrentUserShape,
      userId: number
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<UserExport> }, NotAllowed>
    /** Removes an archive, or cancels one in progress. */
    readonly remove: (
      asker: CurrentUserShape,
      userId: number,
      exportId: number
    ) => Effect.Effect<void, NotAllowed | UserExportNotFound>
    /** The archive of a download link. Fails if the token has expired or belongs to another archive. */
    readonly open: (
      uuid: string,
      token: string
    ) => Effect.Effect<ReadyExport, UserExportLinkRefused | UserExportNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/userexports/UserExports") {
  static readonly layer = Layer.effect(UserExports, make)
}
