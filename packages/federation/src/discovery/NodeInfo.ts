import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import type { FetchError } from "../fetch/FetchError.ts"
import { FetchGuard } from "../fetch/FetchGuard.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { askHost, type NoHost } from "./Host.ts"

/** What a host says of itself. */
export interface HostFacts {
  /** Scheme and host that answered. */
  readonly origin: string
  /** Where its NodeInfo document is, the newest version that is understood. */
  readonly document: string | undefined
  /** Actor of the instance as a whole (FEP-2677), of this host and no other. */
  readonly application: string | undefined
}

/** Name and version of a server program, at most 100 characters each; empty where it does not say. */
export interface Software {
  readonly name: string
  readonly version: string
}

interface HostDocument {
  readonly software: Software
  readonly mediaOrigins: ReadonlyArray<string>
}

const applicationRel = "https://www.w3.org/ns/activitystreams#Application"
const versions = ["2.1", "2.0"].map((version) => `http://nodeinfo.diaspora.software/ns/schema/${version}`)

const decodeLinks = Schema.decodeUnknownResult(Schema.Struct({ links: Schema.Array(Schema.Unknown) }))
const decodeLink = Schema.decodeUnknownOption(Schema.Struct({ rel: Schema.String, href: Schema.String }))
const decodeDocument = Schema.decodeUnknownResult(
  Schema.Struct({
    software: Schema.Struct({ name: Schema.String, version: Schema.optional(Schema.String) }),
    metadata: Schema.optional(Schema.Unknown)
  })
)
const decodeMetadata = Schema.decodeUnknownOption(Schema.Struct({ mediaOrigins: Schema.Array(Schema.String) }))

/** Longest address that is looked at, in characters. */
const maxHref = 2_000
const maxText = 100
/** Most origins that a host may name for its files. */
const maxOrigins = 8

const readFacts = (value: unknown, origin: string): HostFacts => {
  const read = decodeLinks(value)
  const links = Result.isSuccess(read) ? read.success.links.flatMap((it) => Option.toArray(decodeLink(it))) : []
  const find = (rel: string) => {
    const href = links.find((link) => link.rel === rel)?.href
    return href === undefined || href.length > maxHref ? null : URL.parse(href, origin)
  }
  const application = find(applicationRel)
  return {
    origin,
    document: versions.map(find).find((it) => it !== null)?.href,
    application: application?.origin === origin ? application.href : undefined
  }
}

const readDocument = (value: unknown): Option.Option<HostDocument> => {
  const read = decodeDocument(value)
  if (Result.isFailure(read)) return Option.none()
  const { name, version = "" } = read.success.software
  const { mediaOrigins } = Option.getOrElse(decodeMetadata(read.success.metadata), () => ({ mediaOrigins: [] }))
  return Option.some({
    software: { name: name.slice(0, maxText), version: version.slice(0, maxText) },
    mediaOrigins: mediaOrigins.slice(0, maxOrigins).filter((it) => it.length <= maxHref)
  })
}

/** Asks hosts what they are (NodeInfo 2.0 and 2.1), and for the actor of the instance as a whole. */
export class NodeInfo extends Context.Service<
  NodeInfo,
  {
    /** `/.well-known/nodeinfo` of a host; one that has none, or another document there, has said nothing. */
    readonly facts: (host: string) => Effect.Effect<HostFacts, FetchError | NoHost>
    /** What runs at a host; none when it does not say. */
    readonly software: (host: string) => Effect.Effect<Option.Option<Software>, FetchError | NoHost>
    /** Origins besides its own that a Kinora instance keeps files at, as it says; none elsewhere. At most 8, not checked further. */
    readonly mediaOrigins: (host: string) => Effect.Effect<ReadonlyArray<string>, FetchError | NoHost>
    /** Address of the instance's actor: as the host says (FEP-2677), else where PeerTube has it. */
    readonly application: (host: string) => Effect.Effect<string, FetchError | NoHost>
  }
>()("@kinora/federation/discovery/NodeInfo") {
  static readonly layerNoDeps: Layer.Layer<NodeInfo, never, FetchGuard | GuardedFetch> = Layer.effect(
    NodeInfo,
    Effect.gen(function* () {
      const guard = yield* FetchGuard
      const fetch = yield* GuardedFetch

      const facts = Effect.fn("NodeInfo.facts")(function* (host: string) {
        const { origin, value } = yield* askHost(guard, fetch, host, "/.well-known/nodeinfo", [
          "application/json",
          "application/jrd+json"
        ])
        return readFacts(value, origin)
      })

      const said = Effect.fn("NodeInfo.document")(function* (host: string) {
        const { document } = yield* facts(host)
        if (document === undefined) return Option.none()
        const { value } = yield* fetch.json(document, { types: ["application/json"], maxBytes: 1_048_576 })
        return readDocument(value)
      })

      const software = (host: string) =>
        Effect.map(
          said(host),
          Option.map((it) => it.software)
        )

      const mediaOrigins = (host: string) =>
        Effect.map(said(host), (document) => (Option.isSome(document) ? document.value.mediaOrigins : []))

      const application = Effect.fn("NodeInfo.application")(function* (host: string) {
        const guessed = (origin: string) => `${origin}/accounts/peertube`
        const known = yield* Effect.result(facts(host))
        if (Result.isSuccess(known)) return known.success.application ?? guessed(known.success.origin)
        // It answers, but has nothing of the kind.
        const error = known.failure
        if (error._tag !== "FetchError" || (error.reason._tag !== "BadStatus" && error.reason._tag !== "WrongType")) {
          return yield* Effect.fail(error)
        }
        // Where it led to says nothing of it.
        const { host: answered, origin } = new URL(error.url)
        return answered === host ? guessed(origin) : yield* Effect.fail(error)
      })

      return NodeInfo.of({ facts, software, mediaOrigins, application })
    })
  )
}
