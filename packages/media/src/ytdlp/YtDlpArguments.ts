/**
 * No configuration of the machine, no cookies, no external programs, no prompts. The proxy is passed in the
 * environment, which others cannot read. Plugins are disabled there too, if the version supports it.
 */
const common = (ffmpeg: string | undefined): ReadonlyArray<string> => [
  ...["--ignore-config", "--no-config-locations", "--no-cache-dir", "--no-cookies", "--no-cookies-from-browser"],
  ...["--no-exec", "--no-batch-file", "--no-download-archive", "--no-mark-watched", "--no-wait-for-video"],
  ...["--no-colors", "--no-warnings", "--no-check-formats", "--default-search", "error", "--downloader", "native"],
  ...["--socket-timeout", "30", "--retries", "2", "--fragment-retries", "2", "--extractor-retries", "1"],
  // Uses the system's certificates, so that operators can add some.
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

/** File name without its extension, which the site chooses. */
export const downloadName = "video"

/** Prefix of each progress line: bytes so far, total bytes, estimated total bytes. */
export const progressMark = "kinora"

/**
 * Protocols that yt-dlp implements itself, through the proxy. Others are passed to ffmpeg, which connects directly if
 * the machine cannot confine it.
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
