import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { jsonLimits, scanJson } from "../../src/fetch/JsonScan.ts"

const scan = (text: string, limits: Partial<typeof jsonLimits> = {}) =>
  scanJson(new TextEncoder().encode(text), { ...jsonLimits, ...limits })

describe("JSON scan", () => {
  it("finds depth and width beyond the limits", () => {
    assert.strictEqual(scan(`${"[".repeat(33)}${"]".repeat(33)}`), "depth")
    assert.isUndefined(scan(`${"[".repeat(32)}${"]".repeat(32)}`))
    assert.strictEqual(scan(`${'{"object":'.repeat(5_000)}1${"}".repeat(5_000)}`), "depth")
    assert.strictEqual(scan(`[${Array(5_001).fill(1).join()}]`), "items")
    assert.isUndefined(scan(`[${Array(5_000).fill(1).join()}]`))
    assert.strictEqual(scan(`{${Array.from({ length: 11 }, (_, i) => `"${i}":1`).join()}}`, { maxItems: 10 }), "items")
    const wide = `[${Array(100)
      .fill(`[${Array(1_001).fill(1).join()}]`)
      .join()}]`
    assert.strictEqual(scan(wide), "items")
  })

  it.prop("measures depth as a parser does", [Schema.Json], ([value]) => {
    const depthOf = (it: unknown): number =>
      typeof it === "object" && it !== null ? 1 + Math.max(0, ...Object.values(it).map(depthOf)) : 0
    const text = JSON.stringify(value)
    const depth = depthOf(value)
    assert.isUndefined(scan(text, { maxDepth: depth }))
    if (depth > 0) assert.strictEqual(scan(text, { maxDepth: depth - 1 }), "depth")
  })

  it("is not misled by strings", () => {
    assert.isUndefined(scan(`["${"[{,".repeat(9_000)}"]`, { maxItems: 2 }))
    assert.isUndefined(scan(`["\\"[[[[\\\\", "é☃𝄞,"]`, { maxDepth: 1, maxItems: 2 }))
    assert.strictEqual(scan(`["\\\\",[[]]]`, { maxDepth: 2 }), "depth")
  })

  it("counts each level for itself and ends with anything that is no JSON", () => {
    assert.isUndefined(scan("[[1,1],[1,1],[1,1]]", { maxItems: 3 }))
    assert.strictEqual(scan("[[1,1],[1,1],[1,1],1]", { maxItems: 3 }), "items")
    for (const text of ["", "]]]]", '"', '"\\', ",,,", "\u0000", "[".repeat(20)]) assert.isUndefined(scan(text), text)
  })

  it("reads a string of many megabytes", () => {
    const bytes = new TextEncoder().encode(`["${"x".repeat(40_000_000)}"]`)
    assert.isUndefined(scanJson(bytes, jsonLimits))
  })
})
