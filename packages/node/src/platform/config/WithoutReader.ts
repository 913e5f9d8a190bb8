/** A feature that the configuration knows and the program does not have yet. */
export interface MissingFeature {
  /** Keys that wait for it, and groups of keys: `plugins` is all of `plugins.*`. */
  readonly keys: ReadonlyArray<string>
  /** The feature, as it stands in "Kinora has no ... yet". */
  readonly feature: string
  /** The key that switches the feature on; without one, each key that is set to something else than its default does. */
  readonly switch?: string
}

/**
 * Every key that no code reads, with what it waits for. A test compares the list with the sources; `GET /config` promises
 * none of these.
 */
export const withoutReader: ReadonlyArray<MissingFeature> = [
  {
    keys: ["object_storage.user_exports.base_url", "object_storage.original_video_files.base_url"],
    feature: "address of its own for files that are never public"
  },
  { keys: ["live.transcoding.profile"], feature: "transcoding profiles besides the default one" },
  { keys: ["video_studio"], feature: "video studio", switch: "video_studio.enabled" },
  { keys: ["video_transcription"], feature: "transcription of videos", switch: "video_transcription.enabled" },
  {
    keys: ["search.search_index"],
    feature: "search in an index of other instances",
    switch: "search.search_index.enabled"
  },
  { keys: ["redis.sentinel"], feature: "lookup of Redis through sentinels", switch: "redis.sentinel.enabled" },
  { keys: ["geo_ip"], feature: "count of viewers by country", switch: "geo_ip.enabled" },
  { keys: ["plugins"], feature: "plugins", switch: "plugins.index.enabled" },
  { keys: ["transcoding.profile"], feature: "transcoding profiles besides the default one" },
  {
    keys: ["transcoding.always_transcode_podcast_optimized_audio"],
    feature: "audio made for podcast players"
  },
  {
    keys: ["peertube.check_latest_version"],
    feature: "check for a newer version",
    switch: "peertube.check_latest_version.enabled"
  },
  {
    keys: ["followings.instance.auto_follow_index"],
    feature: "following of the instances of an index",
    switch: "followings.instance.auto_follow_index.enabled"
  },
  { keys: ["user.allow_cross_provider_auth"], feature: "login through external providers" },
  { keys: ["client.menu.login.redirect_on_single_external_auth"], feature: "login through external providers" },
  { keys: ["ffmpeg.allow_outdated"], feature: "refusal of uploads because of an outdated ffmpeg" },
  { keys: ["federation.videos.cleanup_remote_interactions"], feature: "removal of remote interactions that are gone" },
  { keys: ["views.videos.remote.max_age"], feature: "expiry of views of remote videos" },
  { keys: ["open_telemetry.metrics.http_request_duration"], feature: "duration metric of each route" },
  { keys: ["services.twitter"], feature: "Twitter account in its cards" },
  { keys: ["thumbnails.sizes"], feature: "choice of thumbnail sizes" },
  { keys: ["storage.previews", "storage.cache"], feature: "use for this cache setting" },
  { keys: ["storage.plugins"], feature: "plugins" },
  { keys: ["storage.client_overrides"], feature: "replacement of files of its pages" },
  { keys: ["log.prettify_sql"], feature: "log of SQL statements" },
  {
    keys: ["import.videos.http.youtube_dl_release.url"],
    feature: "download of yt-dlp: the operator installs it"
  },
  {
    keys: ["import.videos.http.proxies"],
    feature: "imports through proxies: it makes each connection itself, to addresses it has checked"
  }
]

/** The feature a key waits for; undefined for a key that is read. */
export const missingFeatureOf = (path: string): MissingFeature | undefined =>
  withoutReader.find(({ keys }) => keys.some((key) => path === key || path.startsWith(`${key}.`)))
