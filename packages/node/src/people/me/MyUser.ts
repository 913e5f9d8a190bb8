import type { ActorNotFound, Conflict, UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { CurrentPasswordInvalid, InvalidToken } from "@kinora/domain/errors/AuthErrors"
import { BadRequest, InvalidParameters, type RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { UpdateMe } from "@kinora/domain/requests/UpdateMe"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { AuditedUsers } from "@kinora/storage/people/user/AuditedUsers"
import { MyUserRows } from "@kinora/storage/people/user/MyUserRows"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ActorImages } from "../actor/ActorImages.ts"
import { AccessTokens } from "../session/AccessTokens.ts"
import { CurrentPassword } from "../session/CurrentPassword.ts"
import { Passwords } from "../session/Passwords.ts"
import { UserDeletion } from "../user/UserDeletion.ts"
import { UserPasswords } from "../user/UserPasswords.ts"
import { isRoot } from "../rights/UserRights.ts"
import { EmailVerification } from "../verification/EmailVerification.ts"
import { flagConflicts, withoutMovedFlags } from "./NsfwChoices.ts"

type Refused =
  | InvalidParameters
  | CurrentPasswordInvalid
  | RateLimited
  | InvalidToken
  | UserNotFound
  | Conflict
  | ServiceUnavailable
  | DatabaseUnavailable

const noSettings = InvalidParameters.one("notificationSettings", "Must name at least one kind of notification", "body")

/** Changes that users make to themselves. A user who was deleted after the token was checked gets `InvalidToken`. */
export class MyUser extends Context.Service<
  MyUser,
  {
    /**
     * Changes profile, preferences, email address and password, all or nothing. The last two need the current password.
     * A new password ends every session, including that of the request.
     */
    readonly update: (user: CurrentUserShape, changes: UpdateMe) => Effect.Effect<void, Refused>
    /** Deletes the user with all their data. The first administrator cannot be deleted. */
    readonly remove: (user: CurrentUserShape) => Effect.Effect<void, BadRequest | UserNotFound | DatabaseUnavailable>
    /** Sets the avatar from a file, see `ActorImages`. */
    readonly setAvatar: (
      user: CurrentUserShape,
      file: string
    ) => Effect.Effect<
      ReadonlyArray<ActorImage>,
      InvalidParameters | InvalidToken | ActorNotFound | InsufficientStorage | DatabaseUnavailable
    >
    readonly removeAvatar: (
      user: CurrentUserShape
    ) => Effect.Effect<void, InvalidToken | ActorNotFound | DatabaseUnavailable>
    /** Chooses how the user hears of these events. Others stay as they were chosen. */
    readonly setNotifications: (
      user: CurrentUserShape,
      chosen: Readonly<Record<string, number | undefined>>
    ) => Effect.Effect<void, InvalidParameters | DatabaseUnavailable>
    /** Notes that the user has read what is new, by the bit of the feature. */
    readonly markFeatureRead: (user: CurrentUserShape, feature: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/me/MyUser") {
  static readonly layer = Layer.effect(
    MyUser,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* MyUserRows
      const images = yield* ActorImages
      const currentPassword = yield* CurrentPassword
      const passwords = yield* Passwords
      const userPasswords = yield* UserPasswords
      const deletion = yield* UserDeletion
      const audited = yield* AuditedUsers
      const verification = yield* EmailVerification
      const tokens = yield* AccessTokens

      const factsOf = Effect.fnUntraced(function* (user: CurrentUserShape) {
        const facts = yield* rows.facts(user.id)
        return Option.isNone(facts) ? yield* new InvalidToken() : facts.value
      })

      /** A stolen token alone must not be enough to take over the account. */
      const confirm = Effect.fnUntraced(function* (user: CurrentUserShape, changes: UpdateMe) {
        const fields = (["password", "email"] as const).filter((name) => changes[name] !== undefined)
        const [first] = fields
        if (first === undefined) return
        if ((yield* factsOf(user)).pluginAuth !== null) {
          return yield* InvalidParameters.one(first, "Is kept by the service the user logs in with", "body")
        }
        if (changes.currentPassword === undefined) {
          return yield* InvalidParameters.one("currentPassword", `Must be given to change the ${first}`, "body")
        }
        if (!(yield* currentPassword.check(user.id, changes.currentPassword))) {
          return yield* new CurrentPasswordInvalid()
        }
      })

      const write = Effect.fnUntraced(
        function* (user: CurrentUserShape, changes: UpdateMe, hash: string | undefined) {
          const { currentPassword: _, description, displayName, email, password: __, ...others } = changes
          const { discoverable, indexable, ...chosen } = others
          const kept = yield* rows.lockPreferences(user.id)
          if (Option.isNone(kept)) return yield* new InvalidToken()
          const preferences = { ...withoutMovedFlags(kept.value, chosen), ...chosen }
          yield* rows.update(user.id, { displayName, description, indexable, discoverable, preferences })
          if (email !== undefined) yield* verification.startChange(user.id, user.username, email)
          if (hash !== undefined) yield* userPasswords.setHash(user.id, hash, user.tokenId)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const update = Effect.fn("MyUser.update")(function* (user: CurrentUserShape, changes: UpdateMe) {
        const conflict = flagConflicts(changes)
        if (conflict !== undefined) return yield* conflict
        yield* confirm(user, changes)
        const hash = changes.password === undefined ? undefined : yield* passwords.hash(changes.password)
        yield* write(user, changes, hash)
        // Lists depend on the preferences, so the next request of the session must see them.
        yield* tokens.forget(user.id)
      })

      const remove = Effect.fn("MyUser.remove")(function* (user: CurrentUserShape) {
        if (isRoot(user)) {
          return yield* new BadRequest({ reason: "The first administrator cannot be deleted" })
        }
        yield* Effect.andThen(audited.forget(user.id), deletion.remove(user.id)).pipe(
          sql.withTransaction,
          withDatabaseErrors
        )
      })

      const setAvatar = Effect.fn("MyUser.setAvatar")(function* (user: CurrentUserShape, file: string) {
        return yield* images.set((yield* factsOf(user)).actorId, "avatar", file)
      })

      const removeAvatar = Effect.fn("MyUser.removeAvatar")(function* (user: CurrentUserShape) {
        yield* images.remove((yield* factsOf(user)).actorId, "avatar")
      })

      return MyUser.of({
        update,
        remove,
        setAvatar,
        removeAvatar,
        setNotifications: (user, chosen) =>
          Object.keys(chosen).length === 0 ? Effect.fail(noSettings) : rows.setNotifications(user.id, chosen),
        markFeatureRead: (user, feature) => rows.markFeatureRead(user.id, feature)
      })
    })
  )
}
