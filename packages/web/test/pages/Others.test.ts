import { assert, describe, it } from "vitest"
import { othersOf } from "../../src/pages/follows/Others.ts"
import { named } from "../../src/pages/redundancy/Named.ts"

describe("others to follow", () => {
  it("are hosts and handles, each named once", () => {
    assert.deepStrictEqual(
      othersOf("videos.example\nhttps://Videos.example/ 127.0.0.1:9001\n@Ann@far.example, ann@far.example\n\n"),
      { hosts: ["videos.example", "127.0.0.1:9001"], handles: ["ann@far.example"], wrong: [] }
    )
  })
  it("are said to be wrong by their names", () => {
    assert.deepStrictEqual(othersOf("ann x@y@z https://a.example/c/b @far.example").wrong, [
      "ann",
      "x@y@z",
      "https://a.example/c/b",
      "@far.example"
    ])
  })
})

describe("a video to mirror", () => {
  it("is named by an address elsewhere, an address here, or an id", () => {
    const origin = "https://here.example"
    assert.deepStrictEqual(named(" https://far.example/w/abc ", origin), {
      kind: "address",
      value: "https://far.example/w/abc"
    })
    assert.deepStrictEqual(named(`${origin}/w/abc/?start=1`, origin), { kind: "id", value: "abc" })
    assert.deepStrictEqual(named("42", origin), { kind: "id", value: "42" })
    assert.isUndefined(named("  ", origin))
  })
})
