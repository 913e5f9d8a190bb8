import { type Effect, type Redacted, Schema } from "effect"
import type { FlvTag } from "./flv/FlvTag.ts"

/** Who wants to publish. Asked once, before any media is kept. */
export interface PublishRequest {
  readonly protocol: "rtmp" | "rtmps" | "srt" | "whip"
  /** The application of the URL: `live` in `rtmp://host/live/KEY`. Empty where there is none. */
  readonly app: string
  /** The stream key, without a query. */
  readonly key: Redacted.Redacted<string>
  /** The publisher's IP address. */
  readonly address: string
}

/**
 * The publisher is refused, or may not go on. The reason is shown to the publisher. `why` is for protocols that have numbers
 * for it: the key opens nothing, too many of those came, the live is being published, or the instance is not ready.
 */
export class PublishRefused extends Schema.TaggedError<PublishRefused>()("PublishRefused", {
  reason: Schema.String,
  why: Schema.optionalKey(Schema.Literals(["key", "limit", "busy", "unavailable"]))
}) {}

/**
 * How a publication ended. `closed`: the publisher ended it, or we did; `lost`: the connection broke, or the listener
 * closed; `idle`: no media for the idle time; `malformed`: the publisher broke the protocol.
 */
export type PublishEnd = "closed" | "lost" | "idle" | "malformed"

/** What takes the media of one publication: tags, or bytes of a container. */
export interface Publisher<Media = FlvTag> {
  /**
   * Takes the next one, in order. While it suspends, nothing is read from the socket, or what the publisher sends
   * meanwhile is dropped. Its failure ends the connection, with the reason as status.
   */
  readonly write: (media: Media) => Effect.Effect<void, PublishRefused>
  /** Runs once when the publisher is gone. */
  readonly ended: (end: PublishEnd) => Effect.Effect<void>
  /** Completes when our side ends the publication. Its reason is sent as status, then the connection closes. */
  readonly stopped: Effect.Effect<string>
}
