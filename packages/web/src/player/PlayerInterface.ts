import type { VideoDetails } from "../api/Wire.ts"
import type { Captions } from "./Captions.ts"
import type { Controls } from "./Controls.ts"
import type { Action } from "./Keys.ts"
import type { Overlay } from "./Overlay.ts"
import type { Source } from "./Source.ts"

/** A player as what is attached to it sees it. */
export interface Player {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly captions: Captions
  readonly controls: Controls
  readonly overlay: Overlay
  /** What the API says of the video, when it has answered. */
  readonly details: () => VideoDetails | undefined
  readonly source: () => Source | undefined
  readonly duration: () => number
  readonly play: () => void
  readonly toggle: () => void
  readonly seek: (seconds: number) => void
  readonly act: (action: Action) => void
  /** Opens the video with its password. */
  readonly unlock: (password: string) => void
  /** What requests about the video are sent with: a password, when it opens with one. */
  readonly headers: () => Record<string, string>
}
