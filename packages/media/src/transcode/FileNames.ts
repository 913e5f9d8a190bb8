/** An output file that the caller names. `resolution` 0 is audio only. */
export type FilePart =
  | { readonly kind: "master" | "segments" }
  | { readonly kind: "playlist" | "fragmented" | "web"; readonly resolution: number }

/** Names a file: unique names without a folder. */
export type FileNames = (part: FilePart) => string

/**
 * The default names: `<token>-master.m3u8`, `<token>-segments-sha256.json`, `<token>-720.m3u8`,
 * `<token>-720-fragmented.mp4`, `<token>-720.mp4`. We create the token, which must be unguessable if the video is not
 * public.
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

/** Name of the torrent of such a file: `<token>-720.torrent`, for HLS `<token>-720-hls.torrent`. */
export const torrentName = (file: string): string =>
  `${file.replace(/\.[a-z0-9]+$/, "").replace(/-fragmented$/, "-hls")}.torrent`
