import { cachedClip } from "../../../../media/test/support/CachedClip.ts"
import { bigBuckBunny } from "../../support/Uploads.ts"

/** A scene of Big Buck Bunny with a quiet tone, small enough to be made ready in a moment. */
const scene = (name: string, from: number, seconds: number): string =>
  cachedClip(`${name}.mp4`, [
    ...["-ss", `${from}`, "-t", `${seconds}`, "-i", bigBuckBunny],
    ...["-f", "lavfi", "-t", `${seconds}`, "-i", "sine=frequency=220"],
    ...["-map", "0:v:0", "-map", "1:a:0", "-vf", "scale=640:360", "-af", "volume=0.05"],
    ...["-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p", "-g", "24", "-c:a", "aac"]
  ])

export const meadow = () => scene("meadow", 3, 20)
export const lilies = () => scene("lilies", 11, 6)
export const burrow = () => scene("burrow", 24, 5)
