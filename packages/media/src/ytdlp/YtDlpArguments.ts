/**
 * Nothing of the machine's configuration, no cookies, no programs of others, no questions. The proxy is not here but in the
 * environment, which nobody else can read. Its plugins are switched off there too, as far as a version knows how to.
 */
const common = (ffmpeg: string | undefined): ReadonlyArray<string> => [
  ...["--ignore-config", "--no-config-locations", "--no-cache-dir", "--no-cookies", "--no-cookies-from-browser"],
  ...["--no-exec", "--no-batch-file", "--no-download-archive", "--no-mark-watched", "--no-wait-for-video"],
  ...["--no-colors", "--no-warnings", "--no-check-formats", "--default-search", "error", "--downloader", "native"],
  ...["--socket-timeout", "30", "--retries", "2", "--fragment-retries", "2", "--extractor-retries", "1"],
  // Certificates are the system's, where an operator can add to them.
  ...["--compat-options", "no-certifi"],
  ...(ffmpeg === undefined ? [] : ["--ffmpeg-location", ffmpeg])
]

/** Fields of `ExternalRaw`, printed as one line of JSON for each video. */
const described =
  "%(.{title,description,tags,categories,language,license,age_limit,thumbnail,timestamp,release_timestamp,upload_date,duration,chapters,is_live,live_status,webpage_url})j"

/** Fields of `ListedRaw`. */
const listed = "%(.{url,webpage_url,timestamp,upload_date,ie_key,_type})j"

export const describeArguments = (url: string, ffmpeg: string | undefined): ReadonlyArray<string> => [
  ...common(ffmpeg),
  ...["--no-playlist", "--playlist-items", "1", "--ignore-no-formats-error", "--print", described, "--", url]
]

export const listArguments = (url: string, count: number): ReadonlyArray<string> => [
  ...common(undefined),
  ...["--flat-playlist", "--yes-playlist", "--playlist-items", `1:${count}`, "--print", listed, "--", url]
]

/** Name of the file without its ending, which the site chooses. */
export const downloadName = "video"

/** Begins each line of progress: bytes there, bytes in all, bytes in all as estimated. */
export const progressMark = "kinora"

/**
 * Ways of transfer that yt-dlp speaks itself, through the proxy: others are given to ffmpeg, which on a machine that
 * cannot confine it would connect by itself.
 */
const native = "[protocol~='^(https?|m3u8_native|http_dash_segments)$']"

export const downloadArguments = (
  request: { readonly url: string; readonly maxBytes: number; readonly maxHeight: number },
  ffmpeg: string | undefined
): ReadonlyArray<string> => [
  ...common(ffmpeg),
  ...["--no-playlist", "--playlist-items", "1", "--max-filesize", String(Math.floor(request.maxBytes))],
  ...["--match-filters", "!is_live", "--abort-on-unavailable-fragments", "--hls-prefer-native", "--no-mtime"],
  ...[
    "--format",
    `bv*${native}+ba${native}/b${native}`,
    "--format-sort",
    `res:${request.maxHeight},vcodec:h264,acodec:aac,ext:mp4:m4a`
  ],
  ...["--merge-output-format", "mp4/mkv", "--restrict-filenames", "--output", `${downloadName}.%(ext)s`],
  ...["--no-continue", "--no-overwrites", "--newline", "--progress", "--progress-template"],
  `download:${progressMark} %(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s`,
  ...["--", request.url]
]
