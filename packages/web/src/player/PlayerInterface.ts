import type { VideoDetails } from "../api/Wire.ts"
import type { Captions } from "./Captions.ts"
import type { Commands } from "./Commands.ts"
import type { Controls } from "./Controls.ts"
import type { Action } from "./Keys.ts"
import type { Overlay } from "./Overlay.ts"
import type { Quality, Source } from "./Source.ts"

/** A player as what is attached to it sees it. */
export interface Player {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly captions: Captions
  readonly commands: Commands
  readonly controls: Controls
  readonly overlay: Overlay
  /** What the API says of the video, when it has answered. */
  readonly details: () => VideoDetails | undefined
  readonly source: () => Source | undefined
  /** What can be chosen, before anything plays, too. */
  readonly qualities: () => ReadonlyArray<Quality>
  /** Plays in the rendition with this id of `qualities`, or of `auto`. */
  readonly choose: (id: number) => void
  /** Calls when qualities or captions, or the chosen ones, changed. */
  readonly onChoices: (listener: () => void) => void
  /** Resolves when it is known whether and how the video can be played. */
  readonly settled: Promise<void>
  readonly duration: () => number
  readonly play: () => void
  readonly toggle: () => void
  readonly seek: (seconds: number) => void
  readonly act: (action: Action) => void
  /** Opens the video with its password. */
  readonly unlock: (password: string) => void
  /** A file of the video with what opens it: links send no headers. */
  readonly fileAddress: (address: string) => string
  /** What requests about the video are sent with: a password, when it opens with one. */
  readonly headers: () => Record<string, string>
}
