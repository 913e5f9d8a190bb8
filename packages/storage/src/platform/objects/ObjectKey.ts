/** The kinds of files. Each may be stored in a different place. */
export const buckets = [
  "web_videos",
  "web_videos_private",
  "streaming_playlists",
  "streaming_playlists_private",
  "redundancy",
  "original_video_files",
  "thumbnails",
  "avatars",
  "storyboards",
  "torrents",
  "captions",
  "uploads",
  "well_known",
  "user_exports",
  "user_imports",
  "staged_uploads"
] as const

export type Bucket = (typeof buckets)[number]

/** Buckets with restricted files: other accounts of the machine may not read them. */
export const isPrivateBucket = (bucket: Bucket): boolean =>
  bucket.endsWith("_private") ||
  bucket === "original_video_files" ||
  bucket === "uploads" ||
  bucket === "user_exports" ||
  bucket === "user_imports" ||
  bucket === "staged_uploads"

/** Names one object: `<file>`, or `<video uuid>/<file>` for HLS files, local and mirrored. */
export interface ObjectKey {
  readonly bucket: Bucket
  readonly name: string
}

const file = "[A-Za-z0-9_][A-Za-z0-9._-]{0,199}"
const folder = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
const flatName = new RegExp(`^${file}$`)
const nestedName = new RegExp(`^${folder}/${file}$`)
const folderName = new RegExp(`^${folder}$`)

/** Whether objects of the bucket lie in a folder each video has. */
export const isNestedBucket = (bucket: Bucket): boolean =>
  bucket === "streaming_playlists" || bucket === "streaming_playlists_private" || bucket === "redundancy"

/**
 * Whether a name can be one of ours. The pattern does not allow leaving a bucket: no separator but the one after the
 * video's folder, no leading dot, no control character.
 */
export const isValidKey = (key: ObjectKey): boolean =>
  (isNestedBucket(key.bucket) ? nestedName : flatName).test(key.name)

/** Whether `folder` can be a video's folder in the bucket. */
export const isValidFolder = (bucket: Bucket, folder: string): boolean =>
  isNestedBucket(bucket) && folderName.test(folder)
