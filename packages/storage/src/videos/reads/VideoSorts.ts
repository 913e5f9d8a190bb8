import type { Sort } from "@kinora/domain/requests/Pagination"
import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"

const filesSize = `(select coalesce(sum(f.size), 0) from video_file f
  left join streaming_playlist s on s.id = f.streaming_playlist_id where coalesce(f.video_id, s.video_id) = v.id)`

/** `trending`, `hot` and `best` are one order for now: interest, weighed against age (see `video_hotness`). */
const columns: Readonly<Record<VideoSortColumn, string>> = {
  name: "v.name",
  duration: "v.duration",
  createdAt: "v.created_at",
  publishedAt: "v.published_at",
  originallyPublishedAt: "coalesce(v.originally_published_at, 'epoch')",
  views: "v.views",
  likes: "v.likes",
  comments: "v.comments",
  trending: "v.hot_score",
  hot: "v.hot_score",
  best: "v.hot_score",
  match: "v.published_at",
  localVideoFilesSize: filesSize
}

/** ORDER BY of a sort; equal values are told apart by id, so that pages neither repeat nor miss a video. */
export const orderBy = (sort: Sort<VideoSortColumn>): string => {
  const direction = sort.descending ? "desc" : "asc"
  return `${columns[sort.by]} ${direction}, v.id ${direction}`
}
