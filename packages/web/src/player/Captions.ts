import type { Caption } from "../api/Wire.ts"
import { element } from "./Dom.ts"
import { t } from "./Messages.ts"

export interface CaptionTrack {
  /** The language. */
  readonly id: string
  readonly label: string
  readonly src: string
  readonly mode: TextTrackMode
}

export interface Captions {
  readonly labels: () => ReadonlyArray<string>
  readonly tracks: () => ReadonlyArray<CaptionTrack>
  /** Index into `labels`, or -1 when off. */
  readonly selected: () => number
  readonly select: (index: number) => void
  /** Shows the captions of a language, now or as soon as they are there; an unknown language shows none. */
  readonly selectLanguage: (language: string) => void
  /** `address` adds what opens a file of the video. */
  readonly set: (captions: ReadonlyArray<Caption>, address: (file: string) => string) => void
}

/** The video's captions as text tracks; the browser draws the cues. */
export const createCaptions = (video: HTMLVideoElement, changed: () => void): Captions => {
  let tracks: Array<HTMLTrackElement> = []
  let chosen = -1
  let wanted: string | undefined

  const select = (index: number) => {
    chosen = index
    wanted = tracks[index]?.srclang
    tracks.forEach((it, i) => {
      it.track.mode = i === index ? "showing" : "disabled"
    })
    changed()
  }
  const indexOf = (language: string | undefined) => tracks.findIndex((it) => it.srclang === language)

  return {
    labels: () => tracks.map((it) => it.label),
    tracks: () => tracks.map((it) => ({ id: it.srclang, label: it.label, src: it.src, mode: it.track.mode })),
    selected: () => chosen,
    select,
    selectLanguage: (language) => {
      select(indexOf(language))
      wanted = language
    },
    set: (captions, address) => {
      const language = wanted
      tracks.forEach((it) => it.remove())
      tracks = captions.map((caption) =>
        element("track", {
          kind: "subtitles",
          src: address(caption.captionPath || (caption.fileUrl ?? "")),
          srclang: caption.language.id,
          label: caption.automaticallyGenerated
            ? t("automatic", { label: caption.language.label })
            : caption.language.label
        })
      )
      video.append(...tracks)
      select(indexOf(language))
    }
  }
}
