import type { Storyboard } from "../api/Wire.ts"

/** Where in the sheet the picture of a moment is, in pixels of the sheet. */
export const tileAt = (board: Storyboard, seconds: number): { readonly x: number; readonly y: number } => {
  const columns = Math.max(1, Math.floor(board.totalWidth / board.spriteWidth))
  const rows = Math.max(1, Math.floor(board.totalHeight / board.spriteHeight))
  const wanted = Math.floor(Math.max(0, seconds) / Math.max(1, board.spriteDuration))
  const index = Math.min(wanted, columns * rows - 1)
  return { x: (index % columns) * board.spriteWidth, y: Math.floor(index / columns) * board.spriteHeight }
}

/** Shows one picture of the sheet in `box`, scaled to `width` pixels. */
export const showTile = (box: HTMLElement, board: Storyboard, seconds: number, width: number): void => {
  const scale = width / board.spriteWidth
  const { x, y } = tileAt(board, seconds)
  box.hidden = false
  box.style.width = `${width}px`
  box.style.height = `${Math.round(board.spriteHeight * scale)}px`
  box.style.backgroundImage = `url("${encodeURI(board.storyboardPath)}")`
  box.style.backgroundSize = `${board.totalWidth * scale}px ${board.totalHeight * scale}px`
  box.style.backgroundPosition = `${-x * scale}px ${-y * scale}px`
}
