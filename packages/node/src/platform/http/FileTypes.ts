const types: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".m4s": "video/mp4",
  ".webm": "video/webm",
  ".ogv": "video/ogg",
  ".m4a": "audio/mp4",
  ".mp3": "audio/mpeg",
  ".ts": "video/mp2t",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".json": "application/json; charset=utf-8",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".vtt": "text/vtt; charset=utf-8",
  ".torrent": "application/x-bittorrent",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8"
}

/** Media type by the extension of a file name that we made. Browsers never display files with an unknown one. */
export const fileType = (filename: string): string =>
  types[/\.[a-z0-9]+$/i.exec(filename)?.[0].toLowerCase() ?? ""] ?? "application/octet-stream"

/** Headers for files with foreign content: browsers run no script in them, whatever they contain. */
export const harmless = { "content-security-policy": "default-src 'none'; sandbox" }
