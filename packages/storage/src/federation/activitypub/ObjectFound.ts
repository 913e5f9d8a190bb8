import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"

/** An object of ours as JSON text without its `@context`, or the address of one elsewhere; neither: others get nothing. */
export interface ObjectFound {
  readonly text: string | null
  readonly elsewhere: string | null
}

/** The value of a video or playlist that is asked for, as a parameter. */
export const keyOf = (id: VideoIdOrUuid | PlaylistIdOrUuid): string | number => (id._tag === "Id" ? id.id : id.uuid)

/**
 * Which row is meant, by `$1`: what is unlisted is found by its UUID alone, since row ids can be counted through. `alias`
 * is that of the table.
 */
export const named = (id: VideoIdOrUuid | PlaylistIdOrUuid, alias: string): string =>
  id._tag === "Id" ? `${alias}.id = $1 and ${alias}.privacy = 1` : `${alias}.uuid = $1::uuid`
