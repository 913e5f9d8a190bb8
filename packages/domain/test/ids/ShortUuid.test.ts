import { assert, describe, it } from "@effect/vitest"
import { fromShortUuid, toShortUuid } from "../../src/ids/ShortUuid.ts"

describe("ShortUuid", () => {
  // Pairs as an instance in the wild answered them.
  const recorded = [
    ["359bc1e8-0948-4d06-8fd0-1c84a729cb8d", "7BWZSgfA3s4VFoKbTaqKk4"],
    ["3c72254f-a032-4969-ab56-1e75e7edbff0", "8sVhrAMnm5zWRyt2ghGXrJ"]
  ] as const

  it.each(recorded)("%s is %s and back", (uuid, short) => {
    assert.strictEqual<string>(toShortUuid(uuid), short)
    assert.strictEqual<string | undefined>(fromShortUuid(short), uuid)
  })

  it("has 22 characters whatever the UUID", () => {
    for (const uuid of ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]) {
      const short = toShortUuid(uuid)
      assert.strictEqual(short.length, 22)
      assert.strictEqual<string | undefined>(fromShortUuid(short), uuid)
    }
  })

  it("refuses what stands for no UUID", () => {
    const tooLarge = "Z".repeat(22)
    const zero = "0".repeat(22)
    for (const text of [
      "",
      "zzzz",
      tooLarge,
      zero,
      "7BWZSgfA3s4VFoKbTaqKk",
      "7BWZSgfA3s4VFoKbTaqKk44",
      "7BWZSgfA3s4VFoKbTaqKkl"
    ]) {
      assert.isUndefined(fromShortUuid(text), text)
    }
  })
})
