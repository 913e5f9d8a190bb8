/** A file that an encode makes and that its caller names. `resolution` 0 is audio alone. */
export type FilePart =
  | { readonly kind: "master" | "segments" }
  | { readonly kind: "playlist" | "fragmented" | "web"; readonly resolution: number }

/** Names a file: plain names without a folder, all different from one another. */
export type FileNames = (part: FilePart) => string

/**
 * The usual names: `<token>-master.m3u8`, `<token>-segments-sha256.json`, `<token>-720.m3u8`,
 * `<token>-720-fragmented.mp4`, `<token>-720.mp4`. The token is made by us and unguessable where the video is not public.
 */
export const fileNames =
  (token: string): FileNames =>
  (part) => {
    switch (part.kind) {
      case "master":
        return `${token}-master.m3u8`
      case "segments":
        return `${token}-segments-sha256.json`
      case "playlist":
        return `${token}-${part.resolution}.m3u8`
      case "fragmented":
        return `${token}-${part.resolution}-fragmented.mp4`
      case "web":
        return `${token}-${part.resolution}.mp4`
    }
  }

/** Name of the torrent of a file that was named so: `<token>-720.torrent`, for HLS `<token>-720-hls.torrent`. */
export const torrentName = (file: string): string =>
  `${file.replace(/\.[a-z0-9]+$/, "").replace(/-fragmented$/, "-hls")}.torrent`
