import type { MixRequest } from "../lib/Mix.ts"
import { hostOf } from "./People.ts"
import { Random } from "./Random.ts"

const sorts = [
  ...["-publishedAt", "-views", "-likes", "-trending", "-hot", "-best", "-comments", "-createdAt", "-duration"],
  ...["name", "-originallyPublishedAt", "-localVideoFilesSize"]
]
const languages = "languageOneOf=en&languageOneOf=fr&languageOneOf=_unknown"

/** Names that a mix needs and that depend on what the data set holds. */
export interface Names {
  readonly token: string
  readonly channels: ReadonlyArray<string>
  readonly accounts: ReadonlyArray<string>
  readonly videos: ReadonlyArray<string>
  /** The frequent ones first. */
  readonly tags: ReadonlyArray<string>
}

/** Where a page of a list begins: half of them are first pages, the others go as far as 1,000. */
const starts = (random: Random) => (random.chance(0.5) ? 0 : 15 * (1 + random.below(66)))

/** The published mix: what people ask of lists over a million videos, each page of fifteen. */
export const listRequests = (names: Names): ReadonlyArray<MixRequest> => {
  const random = new Random(4)
  const requests: Array<MixRequest> = []
  const add = (kind: string, times: number, path: (n: number) => string, token?: string) => {
    for (let n = 0; n < times; n++) requests.push({ kind, path: `/api/v1/${path(n)}`, token })
  }
  const videos = (query: string, sort = "-publishedAt") =>
    `videos?count=15&sort=${sort}&start=${starts(random)}${query === "" ? "" : `&${query}`}`

  add("newest", 40, () => videos(""))
  add("newest, logged in, 2,000 accounts and 200 hosts blocked twice", 40, () => videos(""), names.token)
  for (const sort of sorts) {
    add(`${sort}, languages`, 12, () => videos(languages, sort))
    add(`${sort}, languages, logged in`, 4, () => videos(languages, sort), names.token)
  }
  add("category", 16, (n) => videos(`categoryOneOf=${1 + (n % 8)}`))
  add("category, -views", 16, (n) => videos(`categoryOneOf=${1 + (n % 8)}&${languages}`, "-views"))
  add("licence", 8, (n) => videos(`licenceOneOf=${1 + (n % 4)}`))
  add("one language, -likes", 12, (n) => videos(`languageOneOf=${["de", "es", "ja"][n % 3]}`, "-likes"))
  add("local", 12, () => videos("isLocal=true"))
  add("local, -views", 8, () => videos("isLocal=true", "-views"))
  add("safe for work or not", 8, (n) => videos(`nsfw=${["both", "true"][n % 2]}`))
  add("tag", 12, (n) => videos(`tagsOneOf=${encodeURIComponent(names.tags[n * n]!)}`))
  add("tag, -views", 8, (n) => videos(`tagsOneOf=${encodeURIComponent(names.tags[n * 11]!)}`, "-views"))
  add("two tags", 6, (n) =>
    videos(`tagsAllOf=${encodeURIComponent(names.tags[n]!)}&tagsAllOf=${encodeURIComponent(names.tags[n + 1]!)}`)
  )
  add("host", 8, (n) => videos(`host=${hostOf(1 + n * 13)}`))
  add("host, -views", 8, (n) => videos(`host=${hostOf(1 + n * 13)}`, "-views"))
  add("live", 4, () => `videos?count=15&isLive=true`)
  add("with web videos", 4, () => videos("hasWebVideoFiles=true", "-views"))
  add("without HLS", 4, () => videos("hasHLSFiles=false"))
  add("not watched", 12, () => videos("excludeAlreadyWatched=true"), names.token)
  add("moderators' list", 8, () => videos("include=15&privacyOneOf=1&privacyOneOf=2&isLocal=true"), names.token)
  add("channel's", 20, (n) => `video-channels/${names.channels[n % names.channels.length]}/videos?count=15`)
  add("account's", 20, (n) => `accounts/${names.accounts[n % names.accounts.length]}/videos?count=15&sort=-views`)
  add("mine", 6, () => "users/me/videos?count=15", names.token)
  return requests
}

export const videoRequests = (names: Names): ReadonlyArray<MixRequest> =>
  names.videos.map((uuid) => ({ kind: "video page", path: `/api/v1/videos/${uuid}` }))

/** Pages so deep that nobody turns to them. */
export const deepRequests = (): ReadonlyArray<MixRequest> =>
  sorts.map((sort) => ({
    kind: "from 500,000 on",
    path: `/api/v1/videos?count=15&start=500000&nsfw=both&sort=${sort}`
  }))
