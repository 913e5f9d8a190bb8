import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { RegistrationTokenNotFound, RunnerNotFound, type UnknownRunnerToken } from "@kinora/domain/errors/RunnerErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { RegisterRunner } from "@kinora/domain/requests/RunnerRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { RunnerRegistrationToken } from "@kinora/domain/wire/Runner"
import { RegistrationTokenRows } from "@kinora/storage/runner/RegistrationTokenRows"
import type { PageByCreation, RunnerPage } from "@kinora/storage/runner/RunnerLists"
import { RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { hashToken } from "../../people/session/TokenHash.ts"
import { RunnerAccess } from "./RunnerAccess.ts"
import { iso } from "./RunnerWire.ts"
import { newRegistrationToken, newRunnerToken } from "./RunnerTokens.ts"

const tokenDomain = "runner-registration-token"

/** Registration of runners, and their registration tokens. */
export class RunnerRegistration extends Context.Service<
  RunnerRegistration,
  {
    /** Creates a registration token, which then appears in the list. */
    readonly generate: (user: CurrentUserShape) => Effect.Effect<void, DatabaseUnavailable>
    /** Creates one if there is none, as on a new instance. */
    readonly first: Effect.Effect<void, DatabaseUnavailable>
    /** Deletes a registration token with the runners that used it. */
    readonly revoke: (
      user: CurrentUserShape,
      id: number
    ) => Effect.Effect<void, RegistrationTokenNotFound | DatabaseUnavailable>
    /** Registration tokens. One that cannot be decrypted, because the key was lost, is shown as empty text. */
    readonly tokens: (page: PageByCreation) => Effect.Effect<RunnerPage<RunnerRegistrationToken>, DatabaseUnavailable>
    /** Adds a runner and returns its token, which is stored only as a hash. */
    readonly register: (
      request: RegisterRunner,
      ip: string
    ) => Effect.Effect<
      { readonly id: number; readonly runnerToken: string },
      RegistrationTokenNotFound | InvalidParameters | DatabaseUnavailable
    >
    /** Removes the runner of a token, as it asks for it. Jobs that it holds become pending. */
    readonly unregister: (
      token: string,
      request: HttpServerRequest
    ) => Effect.Effect<void, UnknownRunnerToken | DatabaseUnavailable>
    readonly remove: (user: CurrentUserShape, id: number) => Effect.Effect<void, RunnerNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/runners/RunnerRegistration") {
  static readonly layer = Layer.effect(
    RunnerRegistration,
    Effect.gen(function* () {
      const access = yield* RunnerAccess
      const tokenRows = yield* RegistrationTokenRows
      const runners = yield* RunnerRows
      const box = yield* SecretBox
      const audit = yield* AuditTrail

      const fresh = Effect.sync(() => {
        const token = newRegistrationToken()
        return { hash: hashToken(token), sealed: box.seal(token, "runner token") }
      })

      // The token itself is in no entry.
      const generate = Effect.fn("RunnerRegistration.generate")(function* (user: CurrentUserShape) {
        const add = Effect.flatMap(fresh, tokenRows.add)
        yield* audit.act(
          user,
          (id) => ({ domain: tokenDomain, action: "create", target: { registrationTokenId: id } }),
          add
        )
      })

      const first = Effect.flatMap(fresh, tokenRows.addFirst).pipe(
        Effect.asVoid,
        Effect.withSpan("RunnerRegistration.first")
      )

      const revoke = Effect.fn("RunnerRegistration.revoke")(function* (user: CurrentUserShape, id: number) {
        const about = { domain: tokenDomain, action: "delete", target: { registrationTokenId: id } }
        const removed = yield* audit.around(user, { ...about, values: tokenRows.values(id) })(tokenRows.remove(id))
        if (!removed) return yield* new RegistrationTokenNotFound()
      })

      const tokens = Effect.fn("RunnerRegistration.tokens")(function* (page: PageByCreation) {
        const { data, total } = yield* tokenRows.list(page)
        const list = yield* Effect.forEach(data, ({ createdAt, id, runners: count, sealed, updatedAt }) =>
          Effect.map(
            Effect.orElseSucceed(box.open(sealed, "runner token"), () => ""),
            (registrationToken) => ({
              id,
              registrationToken,
              createdAt: iso(createdAt),
              updatedAt: iso(updatedAt),
              registeredRunnersCount: count
            })
          )
        )
        return { total, data: list }
      })

      const register = Effect.fn("RunnerRegistration.register")(function* (request: RegisterRunner, ip: string) {
        const runnerToken = newRunnerToken()
        const added = yield* runners.register({
          registrationHash: hashToken(request.registrationToken),
          tokenHash: hashToken(runnerToken),
          name: request.name,
          description: request.description ?? null,
          version: request.version ?? null,
          ip
        })
        if (added === "unknown token") return yield* new RegistrationTokenNotFound()
        if (added === "name taken") {
          return yield* InvalidParameters.one("name", "Another runner has this name", "body", request.name)
        }
        return { id: added.id, runnerToken }
      })

      const unregister = Effect.fn("RunnerRegistration.unregister")(function* (
        token: string,
        request: HttpServerRequest
      ) {
        const runner = yield* access.runner(token, request)
        yield* runners.remove(runner.id)
      })

      const remove = Effect.fn("RunnerRegistration.remove")(function* (user: CurrentUserShape, id: number) {
        const about = { domain: "runner", action: "delete", target: { runnerId: id } }
        const removed = yield* audit.around(user, { ...about, values: runners.values(id) })(runners.remove(id))
        if (!removed) return yield* new RunnerNotFound()
      })

      return RunnerRegistration.of({ generate, first, revoke, tokens, register, unregister, remove })
    })
  )
}
