import type { Effect, Scope } from "effect"
import type { Publisher, PublishRefused, PublishRequest } from "../Publisher.ts"

/** What the program does with publishers. */
export interface SrtHandlers {
  /** Lets a publisher in, who sends a byte stream: an MPEG transport stream. The scope is that of the connection. */
  readonly publish: (request: PublishRequest) => Effect.Effect<Publisher<Uint8Array>, PublishRefused, Scope.Scope>
}
