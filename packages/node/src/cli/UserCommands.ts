import { randomBytes } from "node:crypto"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { operator } from "@kinora/domain/users/Operator"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Console, Effect, Layer, Option, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Passwords } from "../people/session/Passwords.ts"
import { AuditTrail } from "../platform/audit/AuditTrail.ts"
import { Users } from "../people/user/Users.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { disableTwoFactorCommand } from "./TwoFactorCommand.ts"
import { userListCommand } from "./UserListCommand.ts"

const username = Argument.String("username").pipe(Argument.withDescription("Name the user logs in with"))

const role = Flag.Literals("role", ["user", "moderator", "administrator"])

const passwordFromStdin = Flag.Boolean("password-stdin").pipe(
  Flag.withDescription("Read the password from standard input instead of generating one"),
  Flag.withDefault(false)
)

const layer = Users.layer.pipe(Layer.provide([UserRows.layer, Passwords.layer]), Layer.provideMerge(operatorLayer))

/** Does an act with its entry in the audit log, which names no password. */
const recorded = Effect.fnUntraced(function* <A, E, R>(
  action: string,
  name: string,
  work: Effect.Effect<A, E, R>,
  after?: Readonly<Record<string, unknown>>
) {
  const audit = yield* AuditTrail
  const entry = { domain: "user", action, target: { username: name }, ...(after === undefined ? {} : { after }) }
  return yield* audit.act(operator, () => entry, work)
})

const refuse = (message: string) => Effect.fail(new CliFailure({ message, exitCode: 1 }))

/** The first line of standard input, or a random password of 128 bits, which is then shown. */
const choosePassword = Effect.fnUntraced(function* (fromStdin: boolean) {
  if (!fromStdin) return { password: randomBytes(16).toString("base64url"), generated: true }
  const stdio = yield* Stdio.Stdio
  const line = yield* stdio.stdin.pipe(Stream.decodeText(), Stream.splitLines, Stream.runHead)
  const password = Option.getOrElse(line, () => "")
  if (password === "") {
    return yield* refuse("No password came on standard input.")
  }
  return { password, generated: false }
})

const printPassword = ({ generated, password }: { readonly generated: boolean; readonly password: string }) =>
  generated ? Console.log(`Password (shown only now): ${password}`) : Effect.void

const create = Command.make(
  "create",
  {
    username,
    email: Flag.String("email").pipe(Flag.withDescription("Mail address of the user")),
    role: role.pipe(Flag.withDescription("What the user may do"), Flag.withDefault("user" as const)),
    channel: Flag.String("channel").pipe(
      Flag.withDescription("Name of the first channel; <username>_channel unless given"),
      Flag.optional
    ),
    passwordFromStdin
  },
  (input) =>
    toCliFailure(
      Effect.gen(function* () {
        const chosen = yield* choosePassword(input.passwordFromStdin)
        const users = yield* Users
        const request = {
          username: input.username,
          email: input.email,
          password: chosen.password,
          role: UserRole[input.role],
          channelName: Option.getOrUndefined(input.channel)
        }
        yield* recorded("create", input.username, users.create(request)).pipe(
          Effect.catchTags({
            ActorNameTaken: ({ name }) => refuse(`The name ${name} is taken by an account or a channel.`),
            EmailTaken: ({ email }) => refuse(`The mail address ${email} belongs to another user.`)
          })
        )
        yield* Console.log(`The ${input.role} ${input.username} was made.`)
        yield* printPassword(chosen)
      }).pipe(Effect.provide(layer))
    )
).pipe(
  Command.withDescription("Make a user with an account and a channel. A password is generated and shown once."),
  Command.withExamples([
    { command: "kinora users create ada --email ada@example.com", description: "A user with a generated password" },
    {
      command: "kinora users create ada --email ada@example.com --role administrator --password-stdin < secret",
      description: "An administrator whose password stands in a file"
    }
  ])
)

const resetPassword = Command.make("reset-password", { username, passwordFromStdin }, (input) =>
  toCliFailure(
    Effect.gen(function* () {
      const chosen = yield* choosePassword(input.passwordFromStdin)
      const users = yield* Users
      yield* recorded("set-password", input.username, users.resetPassword(input.username, chosen.password))
      yield* Console.log(`${input.username} has a new password and is logged out everywhere.`)
      yield* printPassword(chosen)
    }).pipe(Effect.provide(layer))
  )
).pipe(Command.withDescription("Give a user a new password and end the user's sessions."))

const setRole = Command.make(
  "set-role",
  {
    username,
    role: Argument.Literals("role", ["user", "moderator", "administrator"]).pipe(
      Argument.withDescription("What the user may do")
    )
  },
  (input) =>
    toCliFailure(
      Effect.gen(function* () {
        const users = yield* Users
        const role = UserRole[input.role]
        yield* recorded("update", input.username, users.setRole(input.username, role), { role })
        yield* Console.log(`${input.username} is now ${input.role}.`)
      }).pipe(Effect.provide(layer))
    )
).pipe(Command.withDescription("Change what a user may do."))

export const usersCommand = Command.make("users").pipe(
  Command.withDescription("List, make and change users, whether or not the instance runs"),
  Command.withSubcommands([userListCommand, create, resetPassword, setRole, disableTwoFactorCommand])
)
