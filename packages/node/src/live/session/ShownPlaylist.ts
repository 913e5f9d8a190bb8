import type { BlockingPlaylist } from "../../video/file/BlockingPlaylist.ts"
import type { Rendition, SegmentWindow } from "./MediaPlaylist.ts"

/**
 * A media playlist as it is now. Each of its texts is made once, for the first player that asks: of what nobody watches, none
 * is. It is replaced as soon as its window has changed.
 */
export class ShownPlaylist implements BlockingPlaylist {
  readonly segment: number
  readonly parts: number
  readonly partsBefore: number
  readonly targetDuration: number
  readonly ended: boolean
  readonly #window: SegmentWindow
  readonly #others: ReadonlyArray<Rendition>
  #text: string | undefined
  #delta: string | undefined

  /** @param others the other versions of the live */
  constructor(window: SegmentWindow, others: ReadonlyArray<Rendition>, ended: boolean) {
    this.segment = window.end.segment
    this.parts = window.end.part
    this.partsBefore = window.listed.at(-1)?.parts?.length ?? 0
    this.targetDuration = window.targetDuration
    this.ended = ended
    this.#window = window
    this.#others = others
  }

  get text(): string {
    return (this.#text ??= this.#window.text(this.ended, this.#others))
  }

  get delta(): string {
    return (this.#delta ??= this.#window.delta(this.ended, this.#others))
  }
}
