import { type Json, toJson } from "@kinora/domain/wire/Json"
import type { VideoRedundancy } from "@kinora/domain/wire/VideoRedundancy"

/** A copy of a video as its row has it, with the video. */
export interface CopyRow {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly uuid: string
  readonly copyId: number
  readonly fileUrl: string
  /** Null: another instance keeps it. */
  readonly strategy: "manual" | "most-views" | "trending" | "recently-added" | null
  /** Bytes. */
  readonly size: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Null: until somebody removes it. */
  readonly expiresAt: Date | null
}

type Copy = VideoRedundancy["redundancies"]["streamingPlaylists"][number]

const copyOf = ({ copyId, createdAt, expiresAt, fileUrl, size, strategy, updatedAt }: CopyRow): Copy => ({
  id: copyId,
  fileUrl,
  strategy,
  size,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  expiresOn: expiresAt?.toISOString() ?? null
})

/** Videos with their copies (contract: VideoRedundancy), of rows that are sorted by video. */
export const videoRedundancies = (rows: ReadonlyArray<CopyRow>): ReadonlyArray<Json<VideoRedundancy>> => {
  const byVideo = Map.groupBy(rows, ({ id }) => id)
  return [...byVideo.values()].flatMap((copies) => {
    const [first] = copies
    if (first === undefined) return []
    const { id, name, url, uuid } = first
    return [toJson<VideoRedundancy>({ id, name, url, uuid, redundancies: { streamingPlaylists: copies.map(copyOf) } })]
  })
}
