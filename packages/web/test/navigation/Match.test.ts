import { assert, describe, it } from "vitest"
import { match } from "../../src/navigation/Match.ts"

describe("paths", () => {
  it("match with their parameters", () => {
    assert.deepStrictEqual(match("/my/videos", "/my/videos"), {})
    assert.deepStrictEqual(match("/my/videos/:id/edit", "/my/videos/a%20b/edit"), { id: "a b" })
  })
  it("do not match others", () => {
    for (const path of ["/my", "/my/videos/1", "/my/videos/", "/admin/videos", "/my/Videos"]) {
      assert.isUndefined(match("/my/videos", path), path)
    }
    assert.isUndefined(match("/a/:id", "/a/"))
    assert.isUndefined(match("/a/:id", "/a/%E0%A4%A"))
  })
})
