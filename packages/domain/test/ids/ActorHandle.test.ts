import { assert, describe, it } from "@effect/vitest"
import { parseActorHandle } from "../../src/ids/ActorHandle.ts"

describe("ActorHandle", () => {
  it("reads local and remote handles", () => {
    assert.deepStrictEqual(parseActorHandle("root"), { name: "root", host: null })
    assert.deepStrictEqual(parseActorHandle("a.b_c-d:e"), { name: "a.b_c-d:e", host: null })
    assert.deepStrictEqual(parseActorHandle("@Ann@Videos.Example:9000"), { name: "Ann", host: "videos.example:9000" })
  })

  it("refuses the rest", () => {
    for (const text of ["", "@", "a@", "a b", "a@b@c", "a/b", "a%", "é", "a@b:x", "a".repeat(501)]) {
      assert.isUndefined(parseActorHandle(text), text)
    }
  })
})
