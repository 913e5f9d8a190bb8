import { Schema } from "effect"
import { maxId } from "../ids/Ids.ts"
import { field, optional } from "../fields/Field.ts"
import { videoReader } from "../ids/VideoIdOrUuid.ts"
import { countReader, sortReader, startReader } from "./Pagination.ts"
import { boolean, integer, oneOf } from "../fields/Readers.ts"

const targets = ["my-videos", "remote-videos"] as const

/** Others' copies of our videos, or ours of theirs. */
export type RedundancyTarget = (typeof targets)[number]

/** Query of `GET /server/redundancy/videos`. */
export const redundancyListQuery = Schema.Struct({
  target: field(oneOf(targets, "Must be my-videos or remote-videos")),
  start: optional(startReader),
  count: optional(countReader),
  sort: optional(sortReader(["name"]))
})

/** Body of `POST /server/redundancy/videos`. */
export const NewRedundancy = Schema.Struct({ videoId: field(videoReader) })

export const redundancyParams = {
  redundancyId: field(integer({ min: 1, max: maxId, message: "Must be the id of a copy" }))
}

/** Body of `PUT /server/redundancy/{host}`. */
export const RedundancyAllowed = Schema.Struct({ redundancyAllowed: field(boolean()) })
