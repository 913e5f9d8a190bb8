import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { isRefusedLiteral } from "@kinora/domain/network/PublicAddress"
import { version } from "@kinora/domain/Version"
import { Context, Duration, Effect, FileSystem, Layer, Option, type PlatformError, Schema, Stream } from "effect"
import * as HttpBody from "effect/http/HttpBody"
import { HttpClient } from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { unreachable } from "./Answers.ts"
import { type FormFile, formBody } from "./Multipart.ts"
import { publicLookup, refusedAddress } from "./PublicLookup.ts"
import { ServerRefused, ServerUnreachable } from "./ServerErrors.ts"
import { unlessStalled } from "./Stalled.ts"

const Wanted = Schema.Struct({
  url: Schema.String,
  method: Schema.optional(Schema.NullOr(Schema.Literals(["PUT", "POST"])))
})
const decodeWanted = Schema.decodeUnknownOption(Wanted)
const decodePayload = Schema.decodeUnknownOption(
  Schema.Struct({ output: Schema.Record(Schema.String, Schema.Unknown) })
)

/** Where a result file is sent instead of to the server. */
export interface Destination {
  readonly url: URL
  /** `PUT`: only the bytes. `POST`: a form with the file as its only part. */
  readonly method: "PUT" | "POST"
}

/**
 * A URL that a job may send a file to: over TLS, or on the job's own server, without credentials. The address of its
 * host is checked on connecting.
 */
const acceptable = (origin: string, text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== "" || url.password !== "") return undefined
  if (url.origin === origin) return url
  const ownHost = url.hostname === new URL(origin).hostname
  return url.protocol === "https:" && (ownHost || !isRefusedLiteral(url.hostname)) ? url : undefined
}

const suffix = "CustomUpload"

/**
 * Files of a job's result, by field (`payload[videoFile]`), that its payload sends to other destinations (contract:
 * runner-protocol.json, customUpload). Undefined: a destination is not supported, so the job is left to others.
 */
export const destinationsOf = (origin: string, payload: unknown): ReadonlyMap<string, Destination> | undefined => {
  const output = Option.match(decodePayload(payload), { onNone: () => ({}), onSome: (it) => it.output })
  const found = new Map<string, Destination>()
  for (const [name, value] of Object.entries(output)) {
    if (!name.endsWith(suffix) || value === null || value === undefined) continue
    const wanted = Option.getOrUndefined(decodeWanted(value))
    const url = wanted === undefined ? undefined : acceptable(origin, wanted.url)
    if (wanted === undefined || url === undefined) return undefined
    found.set(`payload[${name.slice(0, -suffix.length)}]`, { url, method: wanted.method ?? "PUT" })
  }
  return found
}

const uploadStall = Duration.minutes(5)
const again = new Set([408, 425, 429])

/** A retry would not help: the name leads to a private address. */
const toServerError = (error: HttpClientError): ServerUnreachable | ServerRefused => {
  const away = unreachable(error)
  const message = "The storage that the job names is in a private network"
  return away.message.includes(refusedAddress) ? new ServerRefused({ status: 0, message, fields: [] }) : away
}

/**
 * Uploads result files to the destinations of jobs. They receive only the file: no tokens, and redirects are not
 * followed.
 */
export class CustomUpload extends Context.Service<
  CustomUpload,
  {
    /** One try. `origin` is the server of the job, the only host that may be in a private network. */
    readonly put: (
      origin: string,
      file: FormFile,
      destination: Destination
    ) => Effect.Effect<void, ServerUnreachable | ServerRefused | PlatformError.PlatformError>
  }
>()("@kinora/runner/server/CustomUpload") {
  static readonly layer = Layer.effect(
    CustomUpload,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const near = yield* HttpClient
      const far = yield* Effect.provideService(
        NodeHttpClient.makeNodeHttp,
        NodeHttpClient.HttpAgent,
        yield* NodeHttpClient.makeAgent({ lookup: publicLookup })
      )

      const bodyOf = Effect.fnUntraced(function* (file: FormFile, method: Destination["method"], moved: () => void) {
        if (method === "POST") return yield* formBody({}, [file], moved)
        const size = Number((yield* fs.stat(file.path)).size)
        const bytes = fs.stream(file.path, { bytesToRead: BigInt(size), chunkSize: 256 * 1024 })
        return HttpBody.stream(
          Stream.tap(bytes, () => Effect.sync(moved)),
          file.type,
          size
        )
      })

      const put = Effect.fn("CustomUpload.put")(function* (
        origin: string,
        file: FormFile,
        { method, url }: Destination
      ) {
        const client = url.hostname === new URL(origin).hostname ? near : far
        const status = yield* unlessStalled(uploadStall, (moved) =>
          Effect.gen(function* () {
            const body = yield* Effect.provideService(bodyOf(file, method, moved), FileSystem.FileSystem, fs)
            const request = HttpClientRequest.make(method)(url, {
              headers: { "user-agent": `kinora-runner/${version}` }
            })
            const response = yield* client.execute(HttpClientRequest.setBody(request, body))
            // The body does not matter, but reading it frees the connection.
            yield* Stream.runDrain(response.stream)
            return response.status
          })
        ).pipe(
          Effect.catchTag("HttpClientError", (error) => Effect.fail(toServerError(error))),
          Effect.scoped
        )
        if (status >= 200 && status < 300) return
        // Without the URL, which may contain credentials.
        const message = `${status} from the storage that the job names`
        if (status >= 500 || again.has(status)) return yield* new ServerUnreachable({ message })
        return yield* new ServerRefused({ status, message, fields: [] })
      })

      return CustomUpload.of({ put })
    })
  )
}
