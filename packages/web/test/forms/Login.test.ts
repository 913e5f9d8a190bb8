import { assert, describe, it } from "vitest"
import { nextAfterLogin } from "../../src/forms/Login.ts"

const origin = "https://videos.example"

describe("after logging in", () => {
  it("one is back where one was", () => {
    assert.strictEqual(nextAfterLogin("?next=%2Fmy%2Fvideos%3Fsort%3Dname", origin), "/my/videos?sort=name")
  })
  it("no address of another site is followed", () => {
    for (const next of [
      "https://evil.example/",
      "//evil.example/x",
      "/\\evil.example",
      "javascript:alert(1)",
      "",
      "/"
    ]) {
      assert.strictEqual(nextAfterLogin(`?next=${encodeURIComponent(next)}`, origin), "/", next)
    }
  })
})
