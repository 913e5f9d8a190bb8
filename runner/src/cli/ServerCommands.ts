import { Config, Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Registrations } from "../config/Registrations.ts"
import { askStatus } from "../running/StatusSocket.ts"
import { RunnerServer } from "../server/RunnerServer.ts"
import type { ServerError } from "../server/ServerErrors.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { configured, servers } from "./Layers.ts"

const url = Flag.String("url").pipe(Flag.withMetavar("URL"), Flag.withDescription("Address of the server"))

const json = Flag.Boolean("json").pipe(Flag.withDescription("As JSON"), Flag.withDefault(false))

/** Whether a process works in this storage. One that does not answer counts. */
const somebodyWorks = askStatus.pipe(
  Effect.map((status) => status !== undefined),
  Effect.orElseSucceed(() => true)
)

const refuse = (message: string) => Effect.fail(new CliFailure({ message, exitCode: 1 }))

const originOf = (address: string) => {
  const parsed = URL.canParse(address) ? new URL(address) : undefined
  return parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.username === ""
    ? Effect.succeed(parsed.origin)
    : refuse(`${address} is no address of a server, such as https://videos.example.org`)
}

const toExit = (origin: string) => (error: ServerError) =>
  refuse(
    error._tag === "ServerRefused" && error.fields.length > 0
      ? `${origin} refused ${error.fields.join(", ")}: ${error.message}`
      : `${origin}: ${error.message}`
  )

/** Registers this runner with a server. */
export const registerCommand = Command.make(
  "register",
  {
    url,
    registrationToken: Flag.String("registration-token").pipe(
      Flag.withAlias("token"),
      Flag.withMetavar("TOKEN"),
      Flag.withDescription(
        "Token that an administrator of the server has made, ptrrt-…; else KINORA_RUNNER_REGISTRATION_TOKEN, which lists of " +
          "processes do not show"
      ),
      Flag.withFallbackConfig(Config.String("KINORA_RUNNER_REGISTRATION_TOKEN"))
    ),
    name: Flag.String("name").pipe(
      Flag.withAlias("runner-name"),
      Flag.withDescription("How the runner is called there, 1 to 100 characters")
    ),
    description: Flag.String("description").pipe(
      Flag.withAlias("runner-description"),
      Flag.withDescription("What is said of it there"),
      Flag.optional
    )
  },
  (input) =>
    toCliFailure(
      Effect.gen(function* () {
        const origin = yield* originOf(input.url)
        const registrations = yield* Registrations
        const server = yield* RunnerServer
        if ((yield* registrations.all).some((entry) => entry.origin === origin)) {
          return yield* refuse(`This runner is registered with ${origin} already: unregister it first.`)
        }
        const { name, registrationToken } = input
        const body = { registrationToken, name, description: Option.getOrUndefined(input.description) }
        const runnerToken = yield* Effect.catch(server.register(origin, body), toExit(origin))
        // Otherwise the server would keep a runner whose token nobody knows.
        const undo = Effect.ignore(server.unregister({ origin, runnerToken }), {
          log: "Warn",
          message: "The registration could not be taken back"
        })
        if (!(yield* Effect.onError(registrations.add({ origin, name, runnerToken }), () => undo))) {
          yield* undo
          return yield* refuse(`This runner was registered with ${origin} by another command meanwhile.`)
        }
        const when = (yield* somebodyWorks) ? "within seconds" : "from the next start on"
        yield* Console.log(`${name} works for ${origin} ${when}.`)
      }).pipe(Effect.provide(servers))
    )
).pipe(
  Command.withDescription(
    "Register with a server; a runner may work for several. Its token is kept in its storage, for its owner alone. One that is " +
      "running begins to work for the server without a restart."
  ),
  Command.withShortDescription("Register with a server"),
  Command.withExamples([
    {
      command: "kinora-runner register --url https://videos.example.org --token ptrrt-… --name cellar",
      description: "Work for a server under the name cellar"
    }
  ])
)

const force = Flag.Boolean("force").pipe(
  Flag.withDescription("Leave although the server cannot be reached, for example when it is gone for good"),
  Flag.withDefault(false)
)

/** Removes this runner from a server. */
export const unregisterCommand = Command.make("unregister", { url, force }, (input) =>
  toCliFailure(
    Effect.gen(function* () {
      const origin = yield* originOf(input.url)
      const registrations = yield* Registrations
      const server = yield* RunnerServer
      const entry = (yield* registrations.all).find((one) => one.origin === origin)
      if (entry === undefined) return yield* refuse(`This runner is not registered with ${origin}.`)
      yield* server.unregister(entry).pipe(
        // The server has already removed it.
        Effect.catchTag("UnknownRunner", () => Effect.void),
        Effect.catch((error) =>
          input.force
            ? Console.error(`${origin} could not be informed and may still list ${entry.name}: ${error.message}`)
            : toExit(origin)(error)
        )
      )
      yield* registrations.remove(origin)
      yield* Console.log(`${entry.name} works for ${origin} no more.`)
    }).pipe(Effect.provide(servers))
  )
).pipe(
  Command.withDescription("Leave a server. Jobs that are held there go to others."),
  Command.withExamples([
    { command: "kinora-runner unregister --url https://videos.example.org", description: "Leave a server" },
    {
      command: "kinora-runner unregister --url https://videos.example.org --force",
      description: "Leave a server that is no more"
    }
  ])
)

/** The servers this runner is registered with. */
export const listCommand = Command.make("list", { json }, (input) =>
  toCliFailure(
    Effect.gen(function* () {
      const entries = yield* (yield* Registrations).all
      // Without tokens, because the output may be stored.
      if (input.json) return yield* Console.log(JSON.stringify(entries.map(({ name, origin }) => ({ origin, name }))))
      if (entries.length === 0) yield* Console.log("No server: begin with kinora-runner register")
      for (const { name, origin } of entries) yield* Console.log(`${origin}  ${name}`)
    }).pipe(Effect.provide(configured))
  )
).pipe(Command.withDescription("List the servers this runner is registered with."))
