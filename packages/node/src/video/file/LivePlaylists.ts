import { Context, Layer } from "effect"

/** A text that players of a live ask for again and again: a playlist, or the digests of its segments. */
export type LiveTexts = ReadonlyMap<string, string>

/**
 * Playlists of the lives that this node publishes, by the video's UUID and their name. They change with each segment and mean
 * nothing without the process that makes them, so they are never written to a disk.
 */
export class LivePlaylists extends Context.Service<
  LivePlaylists,
  {
    readonly find: (uuid: string, name: string) => string | undefined
    /** Replaces all texts of a live. */
    readonly show: (uuid: string, texts: LiveTexts) => void
    /** Removes these texts, unless others are shown by now: a permanent live may have begun anew. */
    readonly remove: (uuid: string, texts: LiveTexts) => void
  }
>()("@kinora/node/video/file/LivePlaylists") {
  static readonly layer = Layer.sync(LivePlaylists, () => {
    const lives = new Map<string, LiveTexts>()
    return LivePlaylists.of({
      find: (uuid, name) => lives.get(uuid)?.get(name),
      show: (uuid, texts) => void lives.set(uuid, texts),
      remove: (uuid, texts) => {
        if (lives.get(uuid) === texts) lives.delete(uuid)
      }
    })
  })
}
