import { join } from "node:path"
import { CopyFile } from "./CopyFile.ts"
import { type Channel, hostOf, type People } from "./People.ts"
import type { Random } from "./Random.ts"
import type { Size } from "./Size.ts"
import { wordLanguages, type Words } from "./Words.ts"

const videoColumns =
  "id, uuid, channel_id, account_id, remote, url, name, category, licence, language, privacy, state, nsfw, nsfw_flags, " +
  "description, duration, aspect_ratio, is_live, views, likes, dislikes, comments, originally_published_at, published_at, " +
  "created_at, updated_at, listed, visible, server_id, hot_score, has_hls, has_web_videos"

/** Shares of languages; null is none. */
const languages: ReadonlyArray<readonly [string | null, number]> = [
  ["en", 0.44],
  ["fr", 0.15],
  ["de", 0.11],
  ["es", 0.08],
  ["it", 0.04],
  ["pt", 0.03],
  ["ru", 0.03],
  ["ja", 0.02],
  [null, 0.1]
]

const languageOf = (random: Random): string | null => {
  let rest = random.share()
  for (const [language, share] of languages) {
    rest -= share
    if (rest < 0) return language
  }
  return null
}

const years = 6
const day = 86_400_000

/** The same as the function `video_hotness`. */
const hotness = (views: number, likes: number, comments: number, published: number): number =>
  Math.fround(Math.log10(Math.max(1, views + 3 * likes + 2 * comments)) + published / 1000 / 45_000 - 37_000)

const remotePrivacy = (random: Random): number => (random.chance(0.97) ? 1 : 2)

/** Public, unlisted, private, internal, with a password. */
const localPrivacy = (random: Random): number => {
  const share = random.share()
  return share < 0.85 ? 1 : share < 0.9 ? 2 : share < 0.94 ? 3 : share < 0.99 ? 4 : 5
}

export interface VideoFiles {
  readonly videos: CopyFile
  readonly tags: CopyFile
}

/** Makes videos and their tags in pieces, so that one can be loaded while the next is made. */
export class VideoWriter {
  readonly #size: Size
  readonly #people: People
  readonly #random: Random
  readonly #words: Words
  readonly #origin: string
  /** Milliseconds since 1970: nothing was published later. */
  readonly #now: number
  #id = 0

  constructor(size: Size, people: People, origin: string, now: number, random: Random, words: Words) {
    this.#size = size
    this.#people = people
    this.#origin = origin
    this.#now = now
    this.#random = random
    this.#words = words
  }

  /** The next so many videos as files in `folder`; undefined when all are made. */
  next(folder: string, count: number): VideoFiles | undefined {
    const total = this.#size.local + this.#size.remote
    if (this.#id >= total) return undefined
    const piece = Math.floor(this.#id / count)
    const videos = new CopyFile(join(folder, `video-${piece}.tsv`), videoColumns.split(", "))
    const tags = new CopyFile(join(folder, `video_tag-${piece}.tsv`), ["video_id", "tag_id"])
    for (let n = 0; n < count && this.#id < total; n++) this.#video(++this.#id, total, videos, tags)
    videos.close()
    tags.close()
    return { videos, tags }
  }

  #channel(local: boolean): Channel {
    const among = local ? this.#people.local : this.#people.remote
    return among[this.#random.skewed(among.length, 2)]!
  }

  #video(id: number, total: number, videos: CopyFile, tags: CopyFile): void {
    const random = this.#random
    const { local: locals } = this.#size
    // Local ones are spread evenly among the others.
    const local = Math.floor((id * locals) / total) > Math.floor(((id - 1) * locals) / total)
    const channel = this.#channel(local)
    const uuid = random.uuid()
    const url = local
      ? `${this.#origin}/videos/watch/${uuid}`
      : `https://${hostOf(channel.serverId!)}/videos/watch/${uuid}`
    const language = languageOf(random)
    const written = language ?? random.pick(wordLanguages)
    const privacy = local ? localPrivacy(random) : remotePrivacy(random)
    const state = local && random.chance(0.005) ? random.pick([2, 3, 8]) : 1
    const nsfw = random.chance(0.04)
    // There are more every year; other instances' are heard of late now and then.
    const created = this.#now - years * 365 * day * (1 - id / (total + 1)) ** 1.2
    const published = random.chance(0.8) ? created : created - random.skewed(years * 365, 3) * day - random.below(day)
    const views = Math.floor(10 ** (random.share() ** 2 * (local ? 4 : 6))) - 1
    const likes = Math.floor(views * random.share() * 0.05)
    const comments = random.skewed(40, 6)
    const listed = state === 1 && privacy === 1
    const visible = listed ? 2 : state === 1 && privacy === 4 ? 1 : 0
    const time = (milliseconds: number) => new Date(milliseconds).toISOString()
    const publishedAt = Math.floor(published)
    const live = random.chance(0.003)
    videos.row(
      ...[id, uuid, channel.id, channel.accountId, !local, url, this.#words.title(written)],
      random.chance(0.15) ? null : 1 + random.zipf(18),
      random.chance(0.4) ? null : 1 + random.zipf(7),
      language,
      privacy,
      state,
      nsfw,
      nsfw && random.chance(0.5) ? 1 + random.below(7) : 0,
      random.chance(0.1) ? null : this.#words.description(written),
      10 + random.skewed(14_400, 4),
      1.7778,
      live,
      ...[views, likes, Math.floor(likes * random.share() * 0.2), comments],
      random.chance(0.1) ? time(published - random.below(2_000) * day) : null,
      ...[time(publishedAt), time(created), time(created), listed, visible, channel.serverId ?? null],
      hotness(views, likes, comments, publishedAt),
      // As `videoParts` makes them.
      !live && id % 20 > 0,
      !live && (id % 20 === 0 || id % 7 === 0)
    )
    const chosen = new Set<number>()
    for (let wanted = random.below(6); wanted > 0; wanted--) chosen.add(1 + random.zipf(this.#size.tags))
    for (const tag of chosen) tags.row(id, tag)
  }
}
