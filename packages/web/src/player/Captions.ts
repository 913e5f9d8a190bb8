import type { Caption } from "../api/Wire.ts"
import { element } from "./Dom.ts"
import { messages } from "./Messages.ts"

export interface Captions {
  readonly labels: () => ReadonlyArray<string>
  /** Index into `labels`, or -1 when off. */
  readonly selected: () => number
  readonly select: (index: number) => void
  /** `address` adds what opens a file of the video. */
  readonly set: (captions: ReadonlyArray<Caption>, address: (file: string) => string) => void
}

/** The video's captions as text tracks; the browser draws the cues. */
export const createCaptions = (video: HTMLVideoElement, changed: () => void): Captions => {
  let tracks: Array<HTMLTrackElement> = []
  let chosen = -1

  const select = (index: number) => {
    chosen = index
    tracks.forEach((it, i) => {
      it.track.mode = i === index ? "showing" : "disabled"
    })
    changed()
  }

  return {
    labels: () => tracks.map((it) => it.label),
    selected: () => chosen,
    select,
    set: (captions, address) => {
      tracks.forEach((it) => it.remove())
      tracks = captions.map((caption) =>
        element("track", {
          kind: "subtitles",
          src: address(caption.captionPath || (caption.fileUrl ?? "")),
          srclang: caption.language.id,
          label: caption.automaticallyGenerated ? messages.automatic(caption.language.label) : caption.language.label
        })
      )
      video.append(...tracks)
      select(-1)
    }
  }
}
