import { cachedClip } from "../../../../media/test/support/CachedClip.ts"

/** Makes a clip once and gives its path. `args` come before the output file. */
export const clip = cachedClip

const picture = (seconds: number, size: string) => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=size=${size}:rate=25:duration=${seconds}`
]
const sound = (seconds: number) => ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`]

/** H.264 and AAC in an mp4: browsers play it as it is. */
export const plainClip = () =>
  clip("plain.mp4", [
    ...picture(2, "320x240"),
    ...sound(2),
    "-c:v",
    "libx264",
    "-pix_fmt",
    "yuv420p",
    "-g",
    "25",
    "-c:a",
    "aac"
  ])

/** MPEG-4 part 2 and MP3 in an avi: has to be transcoded. */
export const oddClip = () =>
  clip("odd.avi", [...picture(2, "322x242"), ...sound(2), "-c:v", "mpeg4", "-c:a", "libmp3lame"])

export const soundClip = () => clip("sound.mp3", [...sound(2), "-c:a", "libmp3lame"])
