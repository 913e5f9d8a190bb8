import type { InitSection } from "@kinora/media/live/Segmenting"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { basename } from "node:path"
import type { LiveParts, LivePartsOf, PartPlace } from "../../video/file/LiveParts.ts"
import type { LivePlaylists, LiveTexts } from "../../video/file/LivePlaylists.ts"
import { liveMaster } from "./MasterPlaylist.ts"
import { SegmentWindow } from "./MediaPlaylist.ts"
import type { Packaging } from "./Packaging.ts"
import { ShownPlaylist } from "./ShownPlaylist.ts"

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
  readonly packaging: Packaging
  /** The least seconds of a segment. */
  readonly segmentSeconds: number
}

/** A version of a live, as it is shown. */
export interface Version {
  readonly output: LiveOutput
  readonly playlist: string
  readonly window: SegmentWindow
  /** The initialization section of the last run. */
  init: InitSection | undefined
  /** Digests of those that are served, by name. */
  readonly inits: Map<string, string>
  /** Where the parts that are served are, in their order. */
  readonly parts: Map<string, PartPlace>
  /** The name of the next part. */
  hint: string | undefined
}

/** Parts that left the playlist are served for a while: requests for them may be on their way. */
const lateParts = 20

/** What players see of a live: its playlists, anew with each segment and each part, and the parts. */
export class ShownLive {
  readonly #live: FilesOfLive
  readonly #versions: ReadonlyMap<number, Version>
  readonly #playlists: LivePlaylists["Service"]
  readonly #parts: LiveParts["Service"]
  /** What changes with segments only. */
  #plain: ReadonlyArray<readonly [string, string]> = []
  #texts: LiveTexts = new Map()
  #listedParts: LivePartsOf = { places: new Map(), hints: new Set() }
  #isShown = false

  constructor(
    live: FilesOfLive,
    outputs: ReadonlyArray<LiveOutput>,
    playlists: LivePlaylists["Service"],
    parts: LiveParts["Service"]
  ) {
    this.#live = live
    this.#playlists = playlists
    this.#parts = parts
    const { packaging, segmentSeconds, token, window } = live
    this.#versions = new Map(
      outputs.map((output) => {
        const rules = packaging.partsOf(output)
        const version: Version = {
          output,
          playlist: `${token}-${output.resolution}.m3u8`,
          window: rules === undefined ? new SegmentWindow(window) : new SegmentWindow(window, rules, segmentSeconds),
          init: undefined,
          inits: new Map(),
          parts: new Map(),
          hint: undefined
        }
        return [output.resolution, version]
      })
    )
  }

  get versions(): ReadonlyArray<Version> {
    return [...this.#versions.values()]
  }

  version(resolution: number): Version {
    const found = this.#versions.get(resolution)
    if (found === undefined) throw new Error(`The live has no version of ${resolution}`)
    return found
  }

  /** A run begins. Parts of the one before whose segment was never completed are of no use. */
  begin(version: Version, init: InitSection, digest: string): void {
    version.init = init
    version.inits.set(basename(init.path), digest)
    for (const [name, place] of version.parts) if ("bytes" in place) version.parts.delete(name)
  }

  addPart(version: Version, name: string, bytes: Uint8Array, next: string): void {
    version.parts.set(name, { bytes })
    version.hint = next
    this.#showParts()
    if (this.#isShown) this.#show(false)
  }

  /** The segment of the parts that are in memory is complete: its file has their bytes, one after another. */
  closeParts(version: Version, key: ObjectKey): void {
    let start = 0
    for (const [name, place] of version.parts) {
      if (!("bytes" in place)) continue
      const { length } = place.bytes
      version.parts.set(name, { key, start, length })
      start += length
    }
  }

  /** Initialization sections that no segment needs any more. They are forgotten. */
  endedInits(version: Version): ReadonlyArray<string> {
    if (version.inits.size < 2) return []
    const current = basename(version.init?.path ?? "")
    const used = new Set(version.window.files.map(({ init }) => init))
    const ended = [...version.inits.keys()].filter((name) => name !== current && !used.has(name))
    for (const name of ended) version.inits.delete(name)
    return ended
  }

  /** Shows what there is now. False: a version has no segment yet. */
  publish(): boolean {
    if (this.versions.some(({ window }) => window.listed.length === 0)) return false
    this.#isShown = true
    this.#plain = this.#plainTexts()
    this.#showParts()
    this.#show(false)
    return true
  }

  close(): void {
    for (const version of this.versions) version.hint = undefined
    this.#plain = this.#plainTexts()
    this.#showParts()
    this.#show(true)
  }

  remove(): void {
    this.#playlists.remove(this.#live.uuid, this.#texts)
    this.#parts.remove(this.#live.uuid, this.#listedParts)
  }

  #plainTexts(): ReadonlyArray<readonly [string, string]> {
    const { token } = this.#live
    const listed = this.versions.map(({ init, output, playlist, window }) => ({
      ...{ output, playlist, segments: window.listed, codecs: init?.codecs }
    }))
    const digests: Record<string, string> = {}
    for (const { inits, window } of this.versions) {
      for (const [name, digest] of inits) digests[name] = digest
      for (const { digest, name } of window.files) digests[name] = digest
    }
    return [
      [`${token}-master.m3u8`, liveMaster(listed)],
      [`${token}-segments-sha256.json`, JSON.stringify(digests)]
    ]
  }

  #show(ended: boolean): void {
    const { versions } = this
    const ends = versions.map(({ playlist, window: { end } }) => ({ playlist, end }))
    this.#texts = new Map<string, string | ShownPlaylist>([
      ...this.#plain,
      ...versions.map(({ playlist, window }) => {
        const others = ends.filter((it) => it.playlist !== playlist)
        return [playlist, new ShownPlaylist(window, others, ended)] as const
      })
    ])
    this.#playlists.show(this.#live.uuid, this.#texts)
  }

  #showParts(): void {
    if (this.versions.every(({ parts }) => parts.size === 0)) return
    for (const { parts, window } of this.versions) {
      const late = parts.size - window.parts.length - lateParts
      for (const name of [...parts.keys()].slice(0, Math.max(0, late))) parts.delete(name)
    }
    this.#listedParts = {
      places: new Map(this.versions.flatMap(({ parts }) => [...parts])),
      hints: new Set(this.versions.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))
    }
    this.#parts.show(this.#live.uuid, this.#listedParts)
  }
}
