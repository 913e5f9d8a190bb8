import type { MixRequest } from "../lib/Mix.ts"

/** What people type, by how much there is of it: half of a mix is spelt right and has at most some thousand finds. */
const texts: Readonly<Record<string, ReadonlyArray<string>>> = {
  "rare words": ["bleaunau", "kinbly", "forelow", "wickcan", "bergstein", "montaña castillo", "chess bleaunau"],
  "three words": ["best guitar night", "free music guide", "wood workshop repair", "linux open source"],
  "two common words": ["music live", "best guitar", "free software"],
  "a common word": ["music", "guitar", "guide", "musik"],
  "a word of nearly every video": ["channel"],
  "a beginning": ["mus", "guit", "volc"],
  Japanese: ["音楽", "東京", "自転車"],
  "with an exclusion": ["music -live", "guitar -best"],
  "a phrase": [`"best guitar"`, `"free software"`, `"night city"`],
  "an address nobody knows": ["https://nowhere.example/w/abc"]
}

const mistyped = ["softwre", "guitr", "musci live", "best scence", "documantary river", "volcnao"]

const filters: ReadonlyArray<readonly [string, string]> = [
  ["by date", "sort=-publishedAt"],
  ["by views", "sort=-views"],
  ["by name", "sort=name"],
  ["one language", "languageOneOf=en"],
  ["one category", "categoryOneOf=1"],
  ["third page", "start=30"],
  ["page 67", "start=1000"]
]

/** The published mix of searches for videos and channels, spelt right and not, each page of fifteen. */
export const searchRequests = (
  token: string
): { right: ReadonlyArray<MixRequest>; typos: ReadonlyArray<MixRequest> } => {
  const path = (text: string, more = "", what = "videos") =>
    `/api/v1/search/${what}?count=15&search=${encodeURIComponent(text)}${more === "" ? "" : `&${more}`}`
  const right: Array<MixRequest> = []
  for (const [kind, some] of Object.entries(texts)) {
    for (const text of some) right.push({ kind: `search, ${kind}`, path: path(text) })
  }
  for (const [kind, filter] of filters) {
    for (const text of ["music", "guitar night"]) right.push({ kind: `search, ${kind}`, path: path(text, filter) })
  }
  for (const text of ["music", "bleaunau"]) {
    right.push({ kind: "search, logged in with 2,000 accounts and 200 hosts blocked twice", path: path(text), token })
  }
  for (const text of ["music", "guitar garden", "bleaunau"]) {
    right.push({ kind: "search for channels", path: path(text, "", "video-channels") })
  }
  return { right, typos: mistyped.map((text) => ({ kind: "search, a word misspelt", path: path(text) })) }
}
