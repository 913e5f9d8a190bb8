import type { InvalidDeliveryDirectives } from "@kinora/domain/errors/LiveErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect } from "effect"
import type { DeliveryDirectives } from "./BlockingPlaylist.ts"
import type { PartPlace } from "./LiveParts.ts"

/** Playlists and parts of lives that other nodes publish. */
export interface LiveElsewhere {
  /** As `LivePlaylists.read`. */
  readonly text: (
    uuid: string,
    name: string,
    directives: DeliveryDirectives
  ) => Effect.Effect<string | undefined, InvalidDeliveryDirectives | ServiceUnavailable | DatabaseUnavailable>
  /** As `LiveParts.read`. */
  readonly part: (
    uuid: string,
    name: string
  ) => Effect.Effect<PartPlace | undefined, ServiceUnavailable | DatabaseUnavailable>
}

/** Default: there are no other nodes. */
export const LiveElsewhere = Context.Reference<LiveElsewhere>("@kinora/node/video/file/LiveElsewhere", {
  defaultValue: () => ({ text: () => Effect.undefined, part: () => Effect.undefined })
})
