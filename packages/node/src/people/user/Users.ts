import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { userFields } from "@kinora/domain/requests/UserFields"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { ActorNameTaken, type CreatedUser, EmailTaken, type NewUser } from "@kinora/storage/people/user/NewUser"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Context, Data, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { isTooLong, maxPasswordBytes, Passwords } from "../session/Passwords.ts"
import { newPassword } from "../session/RandomText.ts"
import { newKeyPair } from "./KeyPair.ts"
import { localActor } from "./LocalActor.ts"

export { ActorNameTaken, EmailTaken }

/**
 * The request for a new user. Without `password` and `passwordHash`, nobody can log in until a password is set.
 * `channelName` absent: `<username>_channel` or the next free name. Quotas are bytes, -1 for no limit; absent: the
 * configured default, no limit for administrators.
 */
export interface UserRequest {
  readonly username: string
  readonly email: string
  readonly password?: string | undefined
  /** From `Passwords.hash`. Takes precedence over `password`. */
  readonly passwordHash?: string | undefined
  readonly role: UserRole
  readonly displayName?: string | undefined
  readonly channelName?: string | undefined
  readonly channelDisplayName?: string | undefined
  readonly videoQuota?: number | undefined
  readonly videoQuotaDaily?: number | undefined
  readonly adminFlags?: number | undefined
  /** Null: verification was not required. */
  readonly emailVerified?: boolean | null | undefined
}

/** A value that no user can have. `problem` is one sentence that says which and why. */
export class UserInvalid extends Data.TaggedError("UserInvalid")<{ readonly problem: string }> {
  override get message(): string {
    return this.problem
  }
}

const minPasswordLength = 6
const longestName = 50

/** Why a password cannot be used, or undefined. */
const passwordProblem = (password: string): string | undefined => {
  if (password.length < minPasswordLength) return `The password needs at least ${minPasswordLength} characters.`
  return isTooLong(password) ? `The password may have at most ${maxPasswordBytes} bytes.` : undefined
}

const problemOf = (request: UserRequest): string | undefined => {
  if (userFields.username.parse(request.username) === undefined) {
    return "The user name may have 1 to 50 of the characters a-z, 0-9, dot and underscore."
  }
  if (userFields.email.parse(request.email) === undefined) return "The mail address is not one."
  if (request.channelName !== undefined && userFields.channelName.parse(request.channelName) === undefined) {
    return "The channel name may have 1 to 50 letters, digits and the characters - _ . :"
  }
  if (request.channelName?.toLowerCase() === request.username) {
    return "The channel must not have the name of the user: accounts and channels share one namespace."
  }
  return request.password === undefined ? undefined : passwordProblem(request.password)
}

const suffix = "_channel"

/** `<name>_channel`, then `<name>_channel-1` and so on, cut so that it fits. */
const channelNames = (username: string): ReadonlyArray<string> =>
  ["", ...Array.from({ length: 98 }, (_, i) => `-${i + 1}`)].map(
    (end) => username.slice(0, longestName - suffix.length - end.length) + suffix + end
  )

/** Users, for operators. Rules for names: 1 to 50 of `a-z0-9._`; accounts and channels share one namespace. */
export class Users extends Context.Service<
  Users,
  {
    /** Prepares keys, hash and row values of a user without writing anything. */
    readonly prepare: (request: UserRequest) => Effect.Effect<NewUser, UserInvalid | DatabaseUnavailable>
    /** Creates a user with account, default channel and keys, in one transaction. */
    readonly create: (
      request: UserRequest
    ) => Effect.Effect<CreatedUser, UserInvalid | ActorNameTaken | EmailTaken | DatabaseUnavailable>
    /** Sets the password and ends every session of the user. */
    readonly resetPassword: (
      username: string,
      password: string
    ) => Effect.Effect<void, UserInvalid | UserNotFound | DatabaseUnavailable>
    readonly setRole: (username: string, role: UserRole) => Effect.Effect<void, UserNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/users/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const rows = yield* UserRows
      const passwords = yield* Passwords
      const { origin } = config.derived

      const freeChannelName = Effect.fnUntraced(function* (username: string) {
        const names = channelNames(username)
        const taken = yield* rows.takenNames(names)
        return names.find((name) => !taken.has(name) && name !== username) ?? names[0]!
      })

      const hashOf = ({ password, passwordHash }: UserRequest) =>
        passwordHash === undefined ? passwords.hash(password ?? newPassword()) : Effect.succeed(passwordHash)

      const prepare = Effect.fn("Users.prepare")(function* (request: UserRequest) {
        const problem = problemOf(request)
        if (problem !== undefined) return yield* new UserInvalid({ problem })
        const channelName = request.channelName ?? (yield* freeChannelName(request.username))
        const [passwordHash, accountKeys, channelKeys] = yield* Effect.all([hashOf(request), newKeyPair, newKeyPair], {
          concurrency: "unbounded"
        })
        const isUnlimited = request.role === UserRole.administrator
        return {
          username: request.username,
          email: request.email,
          passwordHash,
          role: request.role,
          videoQuota: request.videoQuota ?? (isUnlimited ? -1 : config.user.video_quota),
          videoQuotaDaily: request.videoQuotaDaily ?? (isUnlimited ? -1 : config.user.video_quota_daily),
          adminFlags: request.adminFlags ?? 0,
          emailVerified: request.emailVerified ?? null,
          account: localActor(origin, "Person", request.username, accountKeys),
          channel: localActor(origin, "Group", channelName, channelKeys),
          accountDisplayName: request.displayName ?? request.username,
          channelDisplayName:
            request.channelDisplayName ?? config.user.default_channel_name.replaceAll("$1", () => request.username)
        }
      })

      const create = Effect.fn("Users.create")(function* (request: UserRequest) {
        return yield* rows.create(yield* prepare(request))
      })

      const resetPassword = Effect.fn("Users.resetPassword")(function* (username: string, password: string) {
        const problem = passwordProblem(password)
        if (problem !== undefined) return yield* new UserInvalid({ problem })
        const found = yield* rows.setPassword(username, yield* passwords.hash(password))
        if (Option.isNone(found)) return yield* new UserNotFound()
      })

      const setRole = Effect.fn("Users.setRole")(function* (username: string, role: UserRole) {
        if (Option.isNone(yield* rows.setRole(username, role))) return yield* new UserNotFound()
      })

      return Users.of({ prepare, create, resetPassword, setRole })
    })
  )
}
