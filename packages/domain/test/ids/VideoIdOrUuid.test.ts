import { assert, describe, it } from "@effect/vitest"
import { parseVideoIdOrUuid } from "../../src/ids/VideoIdOrUuid.ts"

describe("VideoIdOrUuid", () => {
  const uuid = "359bc1e8-0948-4d06-8fd0-1c84a729cb8d"

  it("reads a row id", () => {
    assert.deepStrictEqual(parseVideoIdOrUuid("1"), { _tag: "Id", id: 1 as never })
    assert.deepStrictEqual(parseVideoIdOrUuid("2147483647"), { _tag: "Id", id: 2_147_483_647 as never })
  })

  it("reads a UUID in both its forms, in any case", () => {
    for (const text of [uuid, uuid.toUpperCase(), "7BWZSgfA3s4VFoKbTaqKk4"]) {
      assert.deepStrictEqual(parseVideoIdOrUuid(text), { _tag: "Uuid", uuid: uuid as never })
    }
  })

  it("reads a short UUID of digits alone as such", () => {
    assert.strictEqual(parseVideoIdOrUuid("1".repeat(22))?._tag, "Uuid")
  })

  it("refuses the rest", () => {
    for (const text of [
      "",
      "0",
      "-1",
      "01",
      "1.5",
      "1e3",
      "2147483648",
      "99999999999",
      "zzzz",
      `${uuid}0`,
      `{${uuid}}`,
      "1 "
    ]) {
      assert.isUndefined(parseVideoIdOrUuid(text), text)
    }
  })
})
