import { call } from "../api/Call.ts"
import type { Storyboard } from "../api/Wire.ts"
import { element } from "../player/Dom.ts"
import { showTile } from "../player/Storyboard.ts"

/** How long a pointer rests before anything is fetched, and how long a picture stays, in milliseconds. */
const rest = 450
const stay = 550

const boards = new Map<string, Promise<Storyboard | undefined>>()

const boardOf = (id: string): Promise<Storyboard | undefined> => {
  const known = boards.get(id)
  if (known !== undefined) return known
  const asked = call("GET /api/v1/videos/:id/storyboards", { params: { id } }).then((answer) =>
    answer.ok ? answer.body.storyboards[0] : undefined
  )
  boards.set(id, asked)
  return asked
}

const loaded = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const image = new Image()
    image.addEventListener("load", () => resolve(true))
    image.addEventListener("error", () => resolve(false))
    image.src = address
  })

/** Shows pictures of the video one after the other, as long as the pointer stays on the thumbnail. */
const play = async (thumb: HTMLElement, id: string, left: AbortSignal): Promise<void> => {
  const board = await boardOf(id)
  if (board === undefined || left.aborted || !(await loaded(board.storyboardPath)) || left.aborted) return
  const tiles = Math.floor(board.totalWidth / board.spriteWidth) * Math.floor(board.totalHeight / board.spriteHeight)
  // A dozen pictures are enough: all those of a film of hours would take minutes.
  const step = Math.max(1, Math.ceil(tiles / 12))
  const box = element("span", { class: "card-preview" })
  thumb.append(box)
  let tile = 0
  const show = () => {
    showTile(box, board, tile * board.spriteDuration, thumb.clientWidth)
    tile = (tile + step) % tiles
  }
  show()
  const timer = setInterval(show, stay)
  left.addEventListener("abort", () => {
    clearInterval(timer)
    box.remove()
  })
}

/** Previews for those who point with a mouse and do not mind what moves. */
export const offerPreviews = (): void => {
  if (!matchMedia("(hover: hover) and (prefers-reduced-motion: no-preference)").matches) return
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || !(event.target instanceof Element)) return
    const thumb = event.target.closest<HTMLElement>(".card[data-card] .thumb")
    const id = thumb?.closest<HTMLElement>(".card")?.dataset["card"]
    // What is blurred stays so.
    if (!thumb || id === undefined || thumb.dataset["previewed"] !== undefined || thumb.dataset["nsfw"] !== undefined)
      return
    thumb.dataset["previewed"] = ""
    const left = new AbortController()
    const timer = setTimeout(() => void play(thumb, id, left.signal), rest)
    thumb.addEventListener(
      "pointerleave",
      () => {
        clearTimeout(timer)
        left.abort()
        delete thumb.dataset["previewed"]
      },
      { once: true }
    )
  })
}
