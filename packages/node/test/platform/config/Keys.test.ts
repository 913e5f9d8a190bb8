import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { flatKeys } from "../../../src/platform/config/Keys.ts"
import { contractPaths } from "./ContractPaths.ts"

describe("configuration keys", () => {
  it("name every key that operators know", () => {
    const known = new Set(flatKeys.map((flat) => flat.path))
    assert.deepStrictEqual(
      contractPaths.filter((path) => !known.has(path)),
      []
    )
  })

  it("have distinct environment names", () => {
    assert.strictEqual(new Set(flatKeys.map((flat) => flat.env)).size, flatKeys.length)
  })

  it("have readable defaults, and a description on one line", () => {
    for (const { key, path } of flatKeys) {
      assert.isTrue(Result.isSuccess(key.kind.read(key.written)), path)
      assert.match(key.description, /^[^\n]{8,140}[^.\n]$/, path)
    }
  })
})
