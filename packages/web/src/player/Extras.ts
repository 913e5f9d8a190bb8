import type { Access } from "./Access.ts"
import type { Captions } from "./Captions.ts"
import type { Controls } from "./Controls.ts"

/** Storyboard, captions and chapters are extras: a video without them is complete. */
export const showExtras = async (access: Access, controls: Controls, captions: Captions): Promise<void> => {
  const [board, texts, parts] = await Promise.allSettled([access.storyboard(), access.captions(), access.chapters()])
  if (board.status === "fulfilled" && board.value !== undefined) controls.seekBar.setStoryboard(board.value)
  if (texts.status === "fulfilled" && texts.value.length > 0) captions.set(texts.value, access.fileAddress)
  if (parts.status === "fulfilled" && parts.value.length > 0) controls.setChapters(parts.value)
}
