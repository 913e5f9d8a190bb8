import { UserRole, userRole } from "@kinora/domain/enums/UserRole"
import { UserReads } from "@kinora/storage/people/user/UserReads"
import { Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { inUnits } from "../instance/backup/Progress.ts"
import { toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printList, search } from "./Output.ts"

const layer = UserReads.layer.pipe(Layer.provide(operatorLayer))

export const userListCommand = Command.make(
  "list",
  {
    role: Flag.Literals("role", ["user", "moderator", "administrator"]).pipe(
      Flag.withDescription("Print only users of this role"),
      Flag.optional
    ),
    blocked: Flag.Boolean("blocked").pipe(
      Flag.withDescription("Print only blocked users; --no-blocked prints only others"),
      Flag.optional
    ),
    search: search("the user name or the mail address"),
    count,
    json
  },
  (input) =>
    Effect.gen(function* () {
      const { data, total } = yield* (yield* UserReads).list({
        search: Option.getOrUndefined(input.search),
        blocked: Option.getOrUndefined(input.blocked),
        role: Option.getOrUndefined(Option.map(input.role, (role) => UserRole[role])),
        sort: { by: "createdAt", descending: true },
        start: 0,
        count: input.count
      })
      const users = data.map((user) => ({
        id: user.id,
        username: user.username,
        email: user.email,
        role: userRole(user.role as UserRole).label.toLowerCase(),
        blocked: user.blocked,
        blockedReason: user.blockedReason,
        twoFactorEnabled: user.twoFactorEnabled,
        videos: user.videosCount,
        bytes: user.videoQuotaUsed,
        createdAt: user.createdAt,
        lastLoginDate: user.lastLoginDate
      }))
      yield* printList(
        input.json,
        { total, data: users },
        {
          id: ({ id }) => id,
          name: ({ username }) => username,
          email: ({ email }) => email,
          role: ({ role }) => role,
          blocked: ({ blocked }) => blocked,
          videos: ({ videos }) => videos,
          size: ({ bytes }) => inUnits(bytes),
          "last login": ({ lastLoginDate }) => lastLoginDate
        }
      )
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List users, the newest first."))
