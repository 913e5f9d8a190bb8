import { version } from "@kinora/domain/Version"
import { Context, Duration, Effect, FileSystem, Layer, type PlatformError, Schema } from "effect"
import { HttpClient } from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { answer, done, unreachable } from "./Answers.ts"
import { downloadTo } from "./Download.ts"
import { type FormFile, formBody } from "./Multipart.ts"
import { Accepted, type Offer, Offers, Registered } from "./Protocol.ts"
import { type ServerError, ServerUnreachable } from "./ServerErrors.ts"
import { unlessStalled } from "./Stalled.ts"

/** A runner's registration with a server. `origin` is scheme, host and port. */
export interface Registration {
  readonly origin: string
  readonly runnerToken: string
}

/** Identifies a job held by the runner. */
export interface Hold extends Registration {
  readonly uuid: string
  readonly jobToken: string
}

/** A job that this runner accepted. */
export interface Job extends Hold {
  readonly type: string
  readonly payload: unknown
}

const decodeRegistered = Schema.decodeUnknownEffect(Schema.fromJsonString(Registered))
const decodeOffers = Schema.decodeUnknownEffect(Schema.fromJsonString(Offers))
const decodeAccepted = Schema.decodeUnknownEffect(Schema.fromJsonString(Accepted))

/** Time limit of a small request. */
const askingTime = Duration.seconds(30)
/** Maximum time without progress in a transfer. After an upload the server does some work of its own. */
const uploadStall = Duration.minutes(5)

const api = "/api/v1/runners"

const tokensOf = ({ jobToken, runnerToken }: Hold) => ({ jobToken, runnerToken })

/**
 * The runner protocol (contract: runner-protocol.json) as Kinora and PeerTube 6.3 to 8.3 implement it. Each call is one
 * try.
 */
export class RunnerServer extends Context.Service<
  RunnerServer,
  {
    readonly register: (
      origin: string,
      body: { readonly registrationToken: string; readonly name: string; readonly description: string | undefined }
    ) => Effect.Effect<string, ServerError>
    readonly unregister: (runner: Registration) => Effect.Effect<void, ServerError>
    /** Pending jobs, most urgent first, at most ten. */
    readonly request: (
      runner: Registration,
      jobTypes: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Offer>, ServerError>
    /** Accepts a job. `JobLost` if another runner was faster. */
    readonly accept: (runner: Registration, uuid: string) => Effect.Effect<Job, ServerError>
    /** Reports progress in whole percent, which also renews the lease. */
    readonly update: (hold: Hold, progress: number) => Effect.Effect<void, ServerError>
    /** Reports a segment of a live, or that one is gone, with fields of `payload` and files. */
    readonly updateLive: (
      hold: Hold,
      payload: Readonly<Record<string, string>>,
      files: ReadonlyArray<FormFile>
    ) => Effect.Effect<void, ServerError | PlatformError.PlatformError>
    readonly abort: (hold: Hold, reason: string) => Effect.Effect<void, ServerError>
    readonly fail: (hold: Hold, message: string) => Effect.Effect<void, ServerError>
    readonly succeed: (
      hold: Hold,
      files: ReadonlyArray<FormFile>
    ) => Effect.Effect<void, ServerError | PlatformError.PlatformError>
    /**
     * Downloads an input of a job into a file, and continues an interrupted download. `room` is called on every try
     * with the total size, and fails if there is not enough disk space.
     */
    readonly download: <E>(
      hold: Hold,
      address: string,
      path: string,
      room: (bytes: number) => Effect.Effect<void, E>
    ) => Effect.Effect<void, ServerError | PlatformError.PlatformError | E>
  }
>()("@kinora/runner/server/RunnerServer") {
  static readonly layer = Layer.effect(
    RunnerServer,
    Effect.gen(function* () {
      const client = yield* HttpClient
      const fs = yield* FileSystem.FileSystem

      const send = (request: HttpClientRequest.HttpClientRequest) =>
        Effect.mapError(
          client.execute(HttpClientRequest.setHeader(request, "user-agent", `kinora-runner/${version}`)),
          unreachable
        )

      const post = (origin: string, path: string, body: Readonly<Record<string, unknown>>) =>
        send(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(`${origin}${api}${path}`), body)).pipe(
          Effect.timeoutOrElse({
            duration: askingTime,
            orElse: () => Effect.fail(new ServerUnreachable({ message: "No answer in time" }))
          })
        )

      const report = Effect.fnUntraced(function* (hold: Hold, verb: string, body: Readonly<Record<string, unknown>>) {
        const response = yield* post(hold.origin, `/jobs/${hold.uuid}/${verb}`, { ...tokensOf(hold), ...body })
        yield* done(response, true)
      })

      const sendForm = Effect.fnUntraced(function* (
        hold: Hold,
        verb: "success" | "update",
        fields: Readonly<Record<string, string>>,
        files: ReadonlyArray<FormFile>
      ) {
        const response = yield* unlessStalled(uploadStall, (moved) =>
          formBody(fields, files, moved).pipe(
            Effect.provideService(FileSystem.FileSystem, fs),
            Effect.flatMap((body) =>
              send(
                HttpClientRequest.setBody(
                  HttpClientRequest.post(`${hold.origin}${api}/jobs/${hold.uuid}/${verb}`),
                  body
                )
              )
            )
          )
        )
        yield* done(response, true)
      })

      return RunnerServer.of({
        register: Effect.fn("RunnerServer.register")(function* (origin, { description, ...body }) {
          const payload = { ...body, ...(description === undefined ? {} : { description }), version }
          const response = yield* post(origin, "/register", payload)
          return (yield* answer(response, decodeRegistered)).runnerToken
        }),
        unregister: Effect.fn("RunnerServer.unregister")(function* ({ origin, runnerToken }) {
          yield* done(yield* post(origin, "/unregister", { runnerToken }), false)
        }),
        request: Effect.fn("RunnerServer.request")(function* ({ origin, runnerToken }, jobTypes) {
          const response = yield* post(origin, "/jobs/request", { runnerToken, jobTypes, version })
          return (yield* answer(response, decodeOffers)).availableJobs
        }),
        accept: Effect.fn("RunnerServer.accept")(function* ({ origin, runnerToken }, uuid) {
          const response = yield* post(origin, `/jobs/${uuid}/accept`, { runnerToken })
          const { job } = yield* answer(response, decodeAccepted, true)
          return { origin, runnerToken, uuid, jobToken: job.jobToken, type: job.type, payload: job.payload }
        }),
        update: Effect.fn("RunnerServer.update")((hold, progress) => report(hold, "update", { progress })),
        abort: Effect.fn("RunnerServer.abort")((hold, reason) => report(hold, "abort", { reason })),
        fail: Effect.fn("RunnerServer.fail")((hold, message) => report(hold, "error", { message })),
        updateLive: Effect.fn("RunnerServer.updateLive")((hold, payload, files) => {
          const named = Object.entries(payload).map(([name, value]) => [`payload[${name}]`, value] as const)
          return sendForm(hold, "update", { ...tokensOf(hold), ...Object.fromEntries(named) }, files)
        }),
        succeed: Effect.fn("RunnerServer.succeed")((hold, files) => sendForm(hold, "success", tokensOf(hold), files)),
        download: (hold, address, path, room) =>
          downloadTo({ send, tokens: tokensOf(hold), hold, address, path, room }).pipe(
            Effect.provideService(FileSystem.FileSystem, fs)
          )
      })
    })
  )
}
