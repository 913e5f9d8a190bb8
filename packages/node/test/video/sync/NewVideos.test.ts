import { assert, describe, it } from "@effect/vitest"
import type { ListedVideo } from "@kinora/media/ytdlp/ExternalVideo"
import { type KnownBefore, newVideos } from "../../../src/video/sync/NewVideos.ts"

const day = 86_400_000
const since = Date.UTC(2025, 10, 3, 12)

const found = (listed: ReadonlyArray<readonly [url: string, at?: number]>, known: Partial<KnownBefore> = {}) =>
  newVideos(
    listed.map(([url, publishedAt]): ListedVideo => ({ url, publishedAt })),
    { since, isFirst: false, isWhole: false, unseen: new Set(listed.map(([url]) => url)), ...known }
  ).map(({ url }) => url)

describe("what is new in a list", () => {
  it("is what was published later, where dates are told; a day is as good as its last moment", () => {
    const listed = [
      ["later", since + 1],
      ["today", Date.UTC(2025, 10, 3)],
      ["yesterday", Date.UTC(2025, 10, 2)],
      ["before", since - 1],
      ["never", 0]
    ] as const
    assert.deepStrictEqual(found(listed), ["later", "today"])
    assert.deepStrictEqual(found(listed, { isFirst: true }), ["later", "today"])
    assert.deepStrictEqual(found(listed, { unseen: new Set(["today"]) }), ["today"])
    assert.deepStrictEqual(found([["next week", since + 7 * day]], { unseen: new Set() }), [])
  })

  it("is what stands before something known, where no dates are told", () => {
    const listed = [["c"], ["b"], ["a"], ["moved up"]] as const
    const unseen = new Set(["c", "b", "moved up"])
    assert.deepStrictEqual(found(listed, { unseen }), ["c", "b"])
    assert.deepStrictEqual(found(listed, { unseen, isWhole: true }), ["c", "b", "moved up"])
    assert.deepStrictEqual(found(listed), ["c", "b", "a", "moved up"])
    assert.deepStrictEqual(found(listed, { isFirst: true }), [])
    assert.deepStrictEqual(found(listed, { isFirst: true, isWhole: true }), [])
  })
})
