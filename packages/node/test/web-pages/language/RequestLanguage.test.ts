import { assert, describe, it } from "@effect/vitest"
import { directionOf } from "@kinora/domain/i18n/Languages"
import { compile } from "@kinora/domain/i18n/Compile"
import type { Message } from "@kinora/domain/i18n/Format"
import { acceptedLanguages } from "../../../src/web-pages/language/AcceptLanguage.ts"
import { requestedLanguage } from "../../../src/web-pages/language/RequestLanguage.ts"
import { english } from "../../../src/web-pages/messages/en/English.ts"
import { french } from "../../../src/web-pages/messages/fr/French.ts"

/** Names of the values that a compiled message takes. */
const namesIn = (message: Message): ReadonlyArray<string> =>
  typeof message === "string"
    ? []
    : message.flatMap((part) =>
        typeof part === "string" || part[0] === "#"
          ? []
          : [part[0], ...(part.length === 4 ? Object.values(part[3]).flatMap(namesIn) : [])]
      )

describe("the language of a request", () => {
  it("is read from Accept-Language by weight (RFC 9110, 12.5.4)", () => {
    assert.deepStrictEqual(acceptedLanguages("da, en-GB;q=0.8, fr;q=0.9, *;q=0.1"), ["da", "fr", "en-GB"])
    assert.deepStrictEqual(acceptedLanguages("fr;q=0, de ; q=1.000,en;q=0.123"), ["de", "en"])
    assert.deepStrictEqual(acceptedLanguages("fr;q=2, de;q=x, <b>, en_US, ;q=1, toolongsubtag, es"), ["es"])
    assert.deepStrictEqual(acceptedLanguages(undefined), [])
    assert.deepStrictEqual(acceptedLanguages(`${"x,".repeat(100_000)}fr`).includes("fr"), false)
  })

  it("is the chosen one, else the browser's, else the instance's", () => {
    assert.strictEqual(requestedLanguage("a=b; clientLanguage=fr", "en", "en"), "fr")
    assert.strictEqual(requestedLanguage("clientLanguage=pt-BR", "fr-CA,en;q=0.5", "en"), "fr")
    assert.strictEqual(requestedLanguage("xclientLanguage=fr", undefined, "en"), "en")
    assert.strictEqual(requestedLanguage(undefined, "de,*", "fr"), "fr")
    assert.strictEqual(requestedLanguage(undefined, "de", "de"), "en")
    assert.strictEqual(requestedLanguage('clientLanguage="><script>', "*", ""), "en")
  })

  it("has a direction", () => {
    assert.deepStrictEqual(["en", "fr", "ar", "he-IL", "fa"].map(directionOf), ["ltr", "ltr", "rtl", "rtl", "rtl"])
  })
})

describe("messages of the pages", () => {
  for (const area of Object.keys(english) as Array<keyof typeof english>) {
    it(`of ${area} are whole in French, and take the same values`, () => {
      const source: Readonly<Record<string, string>> = english[area]
      const translated: Readonly<Record<string, string>> = french[area]
      assert.deepStrictEqual(Object.keys(translated).toSorted(), Object.keys(source).toSorted())
      for (const [key, text] of Object.entries(source)) {
        const names = (it: string) => [...new Set(namesIn(compile(it)))].toSorted()
        assert.deepStrictEqual(names(translated[key] ?? ""), names(text), key)
      }
    })
  }
})
