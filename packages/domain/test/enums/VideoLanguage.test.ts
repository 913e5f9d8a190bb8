import { assert, describe, it } from "@effect/vitest"
import { isVideoLanguage, subtitleLanguageLabels, videoLanguageLabels } from "../../src/enums/VideoLanguage.ts"

const words = (text: string) => text.trim().split(/\s+/)

describe("VideoLanguage", () => {
  it("lists the extras of the contract", () => {
    const extras = words(`sgn ase asq sdl bfi bzs csl cse dsl fsl gsg pks jsl sfs swl rsl fse zxx
      kab gcf lat epo tlh jbo avk gsw tok rcf gcr pt-PT es-419 zh-Hans zh-Hant ca-valencia`)
    for (const code of extras) assert.isString(videoLanguageLabels[code], code)
  })

  it("has the labels the contract gives", () => {
    const labels = {
      oc: "Occitan",
      el: "Greek",
      tok: "Toki Pona",
      pt: "Portuguese (Brazilian)",
      "pt-PT": "Portuguese (Portugal)",
      es: "Spanish (Spain)",
      "es-419": "Spanish (Latin America)",
      "zh-Hans": "Simplified Chinese",
      "zh-Hant": "Traditional Chinese",
      "ca-valencia": "Valencian",
      rcf: "Réunion Creole French",
      gcr: "Guianese Creole French",
      en: "English"
    }
    for (const [code, label] of Object.entries(labels)) assert.strictEqual(videoLanguageLabels[code], label)
  })

  it("has the living languages of ISO 639-1, and none that is not", () => {
    const twoLetters = Object.keys(videoLanguageLabels).filter((code) => code.length === 2)
    // 184 codes of the standard with the deprecated sh, without ae cu eo ia ie io la pi sa vo.
    assert.strictEqual(twoLetters.length, 174)
    for (const code of words("ae cu eo ia ie io la pi sa vo bh")) assert.notInclude(twoLetters, code)
  })

  it("has no sign language among those of subtitles", () => {
    for (const code of words("sgn ase fse zxx")) assert.isUndefined(subtitleLanguageLabels[code])
    for (const code of words("en kab zh-Hans")) assert.isString(subtitleLanguageLabels[code])
  })

  it("understands the two-letter codes other instances send for listed languages", () => {
    assert.isTrue(isVideoLanguage("la"))
    assert.isTrue(isVideoLanguage("eo"))
    assert.isFalse(isVideoLanguage("constructor"))
    assert.isFalse(isVideoLanguage("EN"))
  })
})
