import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { ClosedSegment } from "@kinora/media/live/Segmenting"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { hlsName } from "@kinora/storage/platform/objects/ObjectIntents"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { playlistsBucket } from "@kinora/storage/video/write/NewRenditions"
import { Context, Effect, Layer } from "effect"
import { link } from "node:fs/promises"
import { basename } from "node:path"
import { LivePlaylists, type LiveTexts } from "../../video/file/LivePlaylists.ts"
import { liveMaster } from "./MasterPlaylist.ts"
import { type LiveSegment, SegmentWindow } from "./MediaPlaylist.ts"
import { segmentDigest } from "./SegmentDigest.ts"

/** The video whose live it is, and how its files are kept. */
export interface FilesOfLive {
  readonly uuid: string
  readonly privacy: number
  /** Begins the name of every file. */
  readonly token: string
  /** How far players may go back, in seconds. */
  readonly window: number
  /** Whether segments stay where they were made, for a replay. */
  readonly keep: boolean
}

/** The files of one session as players see them. */
export interface LiveFilesOf {
  /** Serves a segment from now on. `begins`: it is the first of a run. */
  readonly add: (segment: ClosedSegment, at: number, begins: boolean) => Effect.Effect<LiveSegment, InsufficientStorage>
  /** Writes the playlists anew. True once every version has a segment. */
  readonly publish: Effect.Effect<boolean>
  /** Says in the playlists that nothing follows. */
  readonly close: Effect.Effect<void>
  /** Removes everything that is served. */
  readonly remove: Effect.Effect<void>
}

const digestName = (token: string) => `${token}-segments-sha256.json`
const playlistName = (token: string, resolution: number) => `${token}-${resolution}.m3u8`

/** Serves the segments of lives: files in the object store, and playlists from memory. */
export class LiveFiles extends Context.Service<
  LiveFiles,
  { readonly of: (live: FilesOfLive, outputs: ReadonlyArray<LiveOutput>) => LiveFilesOf }
>()("@kinora/node/live/session/LiveFiles") {
  static readonly layer = Layer.effect(
    LiveFiles,
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const playlists = yield* LivePlaylists

      const of = (live: FilesOfLive, outputs: ReadonlyArray<LiveOutput>): LiveFilesOf => {
        const { keep, privacy, token, uuid, window } = live
        const versions = new Map(outputs.map((output) => [output.resolution, new SegmentWindow(window)]))
        const keyOf = (name: string): ObjectKey => ({ bucket: playlistsBucket(privacy), name: hlsName(uuid, name) })

        const add = Effect.fnUntraced(function* (
          { path, resolution, seconds }: ClosedSegment,
          at: number,
          begins: boolean
        ) {
          // Segments of other runs have other names: nobody gets an old one from a cache.
          const name = basename(path)
          const { bytes, digest } = yield* Effect.promise(() => segmentDigest(path))
          const served = `${path}.served`
          if (keep) yield* Effect.promise(() => link(path, served))
          yield* objects.put(keyOf(name), keep ? served : path)
          const segment: LiveSegment = {
            name,
            seconds,
            bytes,
            digest,
            at,
            begins: begins && (versions.get(resolution)?.files.length ?? 0) > 0
          }
          const gone = versions.get(resolution)?.add(segment) ?? []
          for (const old of gone) yield* objects.remove(keyOf(old.name))
          return segment
        })

        const texts = (ended: boolean) => {
          const listed = outputs.map((output) => ({
            output,
            playlist: playlistName(token, output.resolution),
            segments: versions.get(output.resolution)!.listed
          }))
          const digests: Record<string, string> = {}
          for (const version of versions.values()) {
            for (const { digest, name } of version.files) digests[name] = digest
          }
          return new Map([
            [`${token}-master.m3u8`, liveMaster(listed)],
            [digestName(token), JSON.stringify(digests)],
            ...[...versions].map(
              ([resolution, version]) => [playlistName(token, resolution), version.text(ended)] as const
            )
          ])
        }

        let shown: LiveTexts = new Map()
        const show = (ended: boolean) =>
          Effect.sync(() => {
            shown = texts(ended)
            playlists.show(uuid, shown)
          })

        return {
          add,
          publish: Effect.suspend(() => {
            const isReady = [...versions.values()].every(({ listed }) => listed.length > 0)
            return isReady ? Effect.as(show(false), true) : Effect.succeed(false)
          }),
          close: show(true),
          remove: Effect.gen(function* () {
            playlists.remove(uuid, shown)
            for (const version of versions.values()) {
              for (const { name } of version.files) yield* objects.remove(keyOf(name))
            }
          })
        }
      }

      return LiveFiles.of({ of })
    })
  )
}
