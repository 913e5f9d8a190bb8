import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { ObjectKey } from "../../platform/objects/ObjectKey.ts"
import { putBytes, readObject } from "../../platform/objects/ObjectBytes.ts"
import type { ObjectStore } from "../../platform/objects/ObjectStore.ts"
import { type Renames, renameInDigests, renameInPlaylist, withWebSeed } from "./FileReferences.ts"
import { fileAddress, playlistsBucket, webVideosBucket } from "./NewRenditions.ts"
import { hlsName } from "../../platform/objects/ObjectIntents.ts"
import type { FileRow, PlaylistRow } from "./VideoFiles.ts"

/** The files of a video at one moment. */
export interface FileSet {
  readonly uuid: string
  readonly privacy: number
  readonly files: ReadonlyArray<FileRow>
  readonly playlists: ReadonlyArray<PlaylistRow>
}

/** One object that moves. References in it, to itself and others, are rewritten. */
export interface Step {
  readonly kind: "media" | "playlist" | "digests" | "torrent"
  readonly from: ObjectKey
  readonly to: ObjectKey
  /** For torrents: the new URL of the file. */
  readonly seed?: string
}

/** The same files under new names in the folders for another privacy. */
export interface Relocation {
  readonly steps: ReadonlyArray<Step>
  /** For the files in the folder of the playlist. */
  readonly renames: Renames
  readonly files: ReadonlyArray<FileRow>
  readonly playlists: ReadonlyArray<PlaylistRow>
}

const leadingUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The name with a new UUID, which nobody who knew the old one can guess. */
const renamed = (name: string): string => {
  const rest = name.replace(leadingUuid, "")
  return `${randomUUID()}${/^[-.]/.test(rest) ? "" : "-"}${rest}`
}

/** Plans where the files of a video go when its privacy changes to `privacy`. */
export const relocation = (set: FileSet, privacy: number, origin: string): Relocation => {
  const steps: Array<Step> = []
  const renames = new Map<string, string>()

  const inPlaylists = (kind: Step["kind"], name: string | null): string | null => {
    if (name === null) return null
    const to = renamed(name)
    renames.set(name, to)
    steps.push({
      kind,
      from: { bucket: playlistsBucket(set.privacy), name: hlsName(set.uuid, name) },
      to: { bucket: playlistsBucket(privacy), name: hlsName(set.uuid, to) }
    })
    return to
  }
  const alone = (name: string | null): string | null => {
    if (name === null) return null
    const to = renamed(name)
    steps.push({
      kind: "media",
      from: { bucket: webVideosBucket(set.privacy), name },
      to: { bucket: webVideosBucket(privacy), name: to }
    })
    return to
  }
  const torrent = (name: string | null, filename: string | null, hls: boolean): string | null => {
    if (name === null || filename === null) return name
    const to = renamed(name)
    const seed = fileAddress(origin, { uuid: set.uuid, privacy }, { filename, hls })
    steps.push({ kind: "torrent", from: { bucket: "torrents", name }, to: { bucket: "torrents", name: to }, seed })
    return to
  }

  const files = set.files.map((file): FileRow => {
    const filename = file.hls ? inPlaylists("media", file.filename) : alone(file.filename)
    return {
      ...file,
      filename,
      playlistFilename: file.hls ? inPlaylists("playlist", file.playlistFilename) : file.playlistFilename,
      torrentFilename: torrent(file.torrentFilename, filename, file.hls)
    }
  })
  const playlists = set.playlists.map((one) => ({
    ...one,
    segments: inPlaylists("digests", one.segments),
    master: inPlaylists("playlist", one.master)
  }))
  return { steps, renames, files, playlists }
}

/** Creates the new objects; the old ones stay unchanged. A missing object is logged and stays missing. */
export const carryOut = Effect.fnUntraced(function* (objects: ObjectStore["Service"], plan: Relocation) {
  const rewrite = (step: Step, change: (bytes: Buffer) => Uint8Array | string) =>
    Effect.flatMap(readObject(objects, step.from), (bytes) => putBytes(objects, step.to, change(bytes)))
  const carry = (step: Step) => {
    switch (step.kind) {
      case "media":
        return objects.copy(step.from, step.to)
      case "playlist":
        return rewrite(step, (bytes) => renameInPlaylist(bytes.toString("utf8"), plan.renames))
      case "digests":
        return rewrite(step, (bytes) => renameInDigests(bytes.toString("utf8"), plan.renames))
      case "torrent":
        return rewrite(step, (bytes) => withWebSeed(bytes, step.seed ?? ""))
    }
  }
  for (const step of plan.steps) {
    yield* Effect.catchTag(Effect.asVoid(carry(step)), "ObjectNotFound", () =>
      Effect.logWarning(`${step.from.bucket}/${step.from.name} is missing and stays missing under its new name`)
    )
  }
})
