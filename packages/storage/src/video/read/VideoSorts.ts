import type { Sort } from "@kinora/domain/requests/Pagination"
import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"

/**
 * `hot` weighs interest against age (see `video_hotness`): each video keeps its place among those published before, so
 * that time alone changes nothing. `best` is the same order, of what the viewer has not watched (see `VideoLists`). `trending` are the views of the last days, then all views.
 */
const columns: Readonly<Record<VideoSortColumn, string>> = {
  name: "v.name",
  duration: "v.duration",
  createdAt: "v.created_at",
  publishedAt: "v.published_at",
  originallyPublishedAt: "coalesce(v.originally_published_at, 'epoch')",
  views: "v.views",
  likes: "v.likes",
  comments: "v.comments",
  trending: "v.trend_views",
  hot: "v.hot_score",
  best: "v.hot_score",
  match: "v.published_at",
  localVideoFilesSize: "v.local_files_size"
}

/** ORDER BY of a sort; equal values are ordered by id, so that pages neither repeat nor miss a video. */
export const orderBy = (sort: Sort<VideoSortColumn>): string => {
  const direction = sort.descending ? "desc" : "asc"
  const views = sort.by === "trending" ? ` v.views ${direction},` : ""
  return `${columns[sort.by]} ${direction},${views} v.id ${direction}`
}
