import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { contrast, hexOf } from "../../../src/pages/appearance/Colours.ts"
import { schemes, shownColour } from "../../../src/pages/appearance/Schemes.ts"

const tokens = readFileSync(new URL("../../../src/styles/tokens.css", import.meta.url), "utf8")

describe("colours of the appearance", () => {
  it("contrast is that of WCAG", () => {
    assert.strictEqual(contrast([0, 0, 0], [255, 255, 255]), 21)
    assert.strictEqual(contrast([255, 255, 255], [0, 0, 0]), 21)
    assert.strictEqual(contrast([10, 20, 30], [10, 20, 30]), 1)
    // #767676 is the lightest grey that can be read on white.
    assert.isAtLeast(contrast([0x76, 0x76, 0x76], [255, 255, 255]), 4.5)
    assert.isBelow(contrast([0x77, 0x77, 0x77], [255, 255, 255]), 4.5)
    assert.strictEqual(hexOf([11, 122, 94]), "#0b7a5e")
  })

  it("those of the schemes are those of the stylesheet", () => {
    const [light = "", dark = ""] = tokens.split("@media (prefers-color-scheme: dark)")
    for (const [text, scheme] of [
      [light, schemes.light],
      [dark, schemes.dark]
    ] as const) {
      for (const [token, value] of Object.entries(scheme)) assert.include(text, `${token}: ${value};`)
    }
  })

  it("what is not set follows what is", () => {
    const none = () => undefined
    assert.strictEqual(shownColour("headerBackgroundColor", none, "dark"), schemes.dark["--page"])
    const page = (name: string) => (name === "backgroundColor" ? "navy" : undefined)
    assert.strictEqual(shownColour("headerBackgroundColor", page, "light"), "navy")
    assert.strictEqual(shownColour("menuBackgroundColor", page, "light"), "navy")
    assert.strictEqual(shownColour("menuForegroundColor", page, "light"), schemes.light["--soft"])
    assert.strictEqual(shownColour("backgroundSecondaryColor", page, "light"), schemes.light["--raised"])
  })
})
