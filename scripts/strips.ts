/**
 * Makes the strips of the four walks (docs/pictures/walk-*.webp) from the pictures that the tests of packages/node/test/walks
 * take: `KINORA_TEST_PICTURES=FOLDER scripts/test packages/node/test/walks`, then `node scripts/strips.ts FOLDER`.
 */
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import sharp from "sharp"

const to = resolve(import.meta.dirname, "../docs/pictures")

/** In pixels, of what stands between two pictures. */
const gap = 12

interface Strip {
  readonly size: "desk" | "phone"
  /** How many stand beside each other, and how wide each is. */
  readonly columns: number
  readonly width: number
  /** Steps of the walk, as the test names them. */
  readonly steps: ReadonlyArray<string>
}

const strips: Readonly<Record<string, Strip>> = {
  viewer: {
    size: "phone",
    columns: 8,
    width: 240,
    steps: [
      "home",
      "search with a filter",
      "watch",
      "save to playlists",
      "comment",
      "search for a remote channel",
      "subscriptions",
      "history"
    ]
  },
  maker: {
    size: "desk",
    columns: 4,
    width: 480,
    steps: [
      "new channel",
      "upload",
      "my videos at work",
      "thumbnail from a frame",
      "captions",
      "selected videos",
      "comments that wait",
      "export and import"
    ]
  },
  moderator: {
    size: "phone",
    columns: 8,
    width: 240,
    steps: [
      "overview",
      "registrations",
      "reports",
      "messages of a report",
      "block a video",
      "blocked videos",
      "all comments",
      "muted instances"
    ]
  },
  administrator: {
    size: "desk",
    columns: 4,
    width: 480,
    steps: [
      "first steps",
      "configuration",
      "appearance",
      "federation",
      "mirrored videos",
      "registration tokens",
      "jobs",
      "audit log"
    ]
  }
}

/** The picture of a step: its name has the number of the step before it. */
const pictureOf = (folder: string, person: string, size: string, step: string): string => {
  const name = new RegExp(`^${person}-${size}-\\d+-${step.replaceAll(/\W+/g, "-")}\\.png$`)
  const found = readdirSync(folder).find((it) => name.test(it))
  if (found === undefined) throw new Error(`${folder} has no picture of ${person}, ${size}, ${step}`)
  return join(folder, found)
}

const make = async (folder: string, person: string, { columns, size, steps, width }: Strip): Promise<void> => {
  const height = Math.round(size === "phone" ? (width * 844) / 390 : (width * 800) / 1280)
  const rows = Math.ceil(steps.length / columns)
  const frames = await Promise.all(
    steps.map(async (step, at) => ({
      input: await sharp(pictureOf(folder, person, size, step))
        .resize(width, height)
        .toBuffer(),
      left: gap + (at % columns) * (width + gap),
      top: gap + Math.floor(at / columns) * (height + gap)
    }))
  )
  const background = size === "phone" ? "#3a3d40" : "#d9d9d5"
  const all = {
    width: gap + columns * (width + gap),
    height: gap + rows * (height + gap),
    channels: 3,
    background
  } as const
  const { size: bytes } = await sharp({ create: all })
    .composite(frames)
    .webp({ quality: 80, effort: 6 })
    .toFile(join(to, `walk-${person}.webp`))
  console.log(`walk-${person}.webp ${Math.round(bytes / 1000)} kB`)
}

const folder = process.argv[2]
if (folder === undefined) throw new Error("The folder with the pictures of the walks is missing")
for (const [person, strip] of Object.entries(strips)) await make(folder, person, strip)
