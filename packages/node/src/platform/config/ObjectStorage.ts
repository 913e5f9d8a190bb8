import type { Bucket } from "@kinora/storage/platform/objects/ObjectKey"
import { mixedKinds, type S3Kind, type S3Kinds } from "@kinora/storage/platform/objects/s3/S3Kinds"
import { bucketAddress, type S3Settings } from "@kinora/storage/platform/objects/s3/S3Settings"
import { Duration } from "effect"
import { isIP } from "node:net"
import type { ConfigProblem } from "./ConfigInvalid.ts"
import type { Settled } from "./Decode.ts"
import type { ConfigTree } from "./Keys.ts"

type ObjectStorage = ConfigTree["object_storage"]

/** Parts that a service takes have this size at least, but for the last (Amazon S3 user guide). */
const smallestPart = 5 * 1024 * 1024

/** How long the service may say nothing: it answers within seconds even when it is busy. */
const silence = Duration.seconds(30)

/** Scheme, host and port; undefined where the text is no address. */
const endpointOf = (text: string): URL | undefined => {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.host !== "" ? url : undefined
}

/** How the object storage is reached; undefined where none is configured. */
export const s3Settings = (
  config: Pick<
    ObjectStorage,
    "endpoint" | "region" | "credentials" | "path_style" | "max_upload_part" | "max_request_attempts"
  >
): S3Settings | undefined => {
  const url = config.endpoint === "" ? undefined : endpointOf(config.endpoint)
  if (url === undefined) return undefined
  return {
    endpoint: url.origin,
    region: config.region,
    accessKeyId: config.credentials.access_key_id,
    secretAccessKey: config.credentials.secret_access_key,
    // A bucket cannot stand before a number.
    pathStyle: config.path_style || url.hostname === "localhost" || isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0,
    partBytes: Math.max(smallestPart, config.max_upload_part),
    attempts: config.max_request_attempts,
    silence
  }
}

const canned = (acl: "public-read" | "private" | "none") => (acl === "none" ? {} : { acl })

/** Buckets of the object storage by kind of files; kinds without one stay on disk. */
export const s3Kinds = (config: ObjectStorage): S3Kinds => {
  const settings = s3Settings(config)
  if (settings === undefined) return {}
  const { upload_acl } = config
  const kinds: Partial<Record<Bucket, S3Kind>> = {}
  const add = (
    bucket: Bucket,
    to: { readonly bucket_name: string; readonly prefix: string },
    baseUrl?: string,
    below = ""
  ) => {
    if (to.bucket_name === "") return
    const place = { bucket: to.bucket_name, prefix: to.prefix + below }
    const address = baseUrl === "" ? bucketAddress(settings, to.bucket_name) : baseUrl?.replace(/\/+$/, "")
    // Files whose ACL is private are read through an address that the operator gives, or through the node.
    const isPublic = address !== undefined && (upload_acl.public !== "private" || baseUrl !== "")
    kinds[bucket] = {
      ...place,
      ...canned(address === undefined ? upload_acl.private : upload_acl.public),
      ...(isPublic ? { publicAddress: address } : {})
    }
  }
  const { avatars, streaming_playlists, web_videos } = config
  add("web_videos", web_videos, web_videos.base_url)
  add("web_videos_private", web_videos, undefined, "private/")
  add("streaming_playlists", streaming_playlists, streaming_playlists.base_url, "hls/")
  add("streaming_playlists_private", streaming_playlists, undefined, "hls/private/")
  add("avatars", avatars, avatars.base_url)
  // Files of private videos are among these: the node decides who reads them.
  add("thumbnails", config.thumbnails)
  add("storyboards", config.storyboards)
  add("captions", config.captions)
  add("torrents", config.torrents)
  add("original_video_files", config.original_video_files)
  add("uploads", config.uploads)
  add("user_exports", config.user_exports)
  add("user_imports", config.user_imports)
  add("staged_uploads", config.staged_uploads)
  return kinds
}

/** Whether unfinished files, of uploads and of runners, are put there, so that nodes need no folder in common. */
export const stagesObjects = (config: ObjectStorage): boolean =>
  config.enabled && s3Kinds(config).staged_uploads !== undefined

/** Origins that browsers are sent to for files. */
export const s3Origins = (config: ObjectStorage): ReadonlyArray<string> => {
  const settings = s3Settings(config)
  if (settings === undefined) return []
  const signed = config.proxy.proxify_private_files ? [] : [bucketAddress(settings, config.web_videos.bucket_name)]
  const signedHls = config.proxy.proxify_private_files
    ? []
    : [bucketAddress(settings, config.streaming_playlists.bucket_name)]
  const open = Object.values(s3Kinds(config)).flatMap(({ publicAddress }) => publicAddress ?? [])
  return [...new Set([...open, ...signed, ...signedHls].flatMap((address) => URL.parse(address)?.origin ?? []))]
}

const problem = (path: string, text: string): ConfigProblem => ({
  path: `object_storage.${path}`,
  origin: "several settings together",
  problem: text,
  accepts: undefined
})

/** What cannot be, each setting for itself being right. */
export const objectStorageProblems = ({ tree }: Settled): ReadonlyArray<ConfigProblem> => {
  const { credentials, enabled, endpoint } = tree.object_storage
  if (endpoint === "") {
    return enabled ? [problem("endpoint", "is empty, while object_storage.enabled is true")] : []
  }
  if (endpointOf(endpoint) === undefined) return [problem("endpoint", `${JSON.stringify(endpoint)} is not an address`)]
  if (credentials.access_key_id === "")
    return [problem("credentials.access_key_id", "is empty, while there is an endpoint")]
  const mixed = mixedKinds(s3Kinds(tree.object_storage))
  return mixed === undefined
    ? []
    : [
        problem(
          "prefix",
          `${mixed[0]} and ${mixed[1]} are in the same bucket, and their prefixes are not distinct: give each its own, with a slash at its end`
        )
      ]
}
