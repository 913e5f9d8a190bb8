import type { Player } from "../player/PlayerInterface.ts"
import { Refusal } from "./Channel.ts"

/** The picture on screen as the address of a JPEG. The page outside gets none of a video that is not for everybody. */
export const frameOf = ({ root, video }: Player): string => {
  if (root.hasAttribute("data-restricted")) throw new Refusal("This video is not for everybody")
  const canvas = document.createElement("canvas")
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  const context = canvas.getContext("2d")
  if (context === null || canvas.width === 0) throw new Refusal("There is no picture yet")
  context.drawImage(video, 0, 0)
  return canvas.toDataURL("image/jpeg")
}
