/** Columns lists of videos can be sorted by (contract: VideoSort). */
export const videoSortColumns = [
  "name",
  "duration",
  "createdAt",
  "publishedAt",
  "originallyPublishedAt",
  "views",
  "likes",
  "comments",
  "trending",
  "hot",
  "best",
  "localVideoFilesSize",
  "match"
] as const
export type VideoSortColumn = (typeof videoSortColumns)[number]
