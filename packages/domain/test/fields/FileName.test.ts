import { assert, describe, it } from "@effect/vitest"
import { isFileName } from "../../src/fields/FileName.ts"

describe("isFileName", () => {
  it("takes the names we give", () => {
    for (const name of ["9e14cf88-c1e8-4742-8eb3-e7f0f355732b-360.mp4", "master.m3u8", "segments-sha256.json", "a"]) {
      assert.isTrue(isFileName(name), name)
    }
  })

  it("takes nothing that leads elsewhere", () => {
    for (const name of [
      "",
      ".",
      "..",
      ".env",
      "../../etc/passwd",
      "a/b",
      "a\\b",
      "a..b",
      "a\u0000.mp4",
      "é.mp4",
      "a b",
      "a".repeat(256)
    ]) {
      assert.isFalse(isFileName(name), name)
    }
  })
})
