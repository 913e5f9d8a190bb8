import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { compile } from "@kinora/domain/i18n/Compile"
import { format, type Message } from "@kinora/domain/i18n/Format"

const say = (text: string, values: Record<string, string | number>, language = "en") =>
  format(compile(text), values, language)

/** Names of the values that a compiled message takes. */
const namesIn = (message: Message): ReadonlyArray<string> =>
  typeof message === "string"
    ? []
    : message.flatMap((part) =>
        typeof part === "string" || part[0] === "#"
          ? []
          : [part[0], ...(part.length === 4 ? Object.values(part[3]).flatMap(namesIn) : [])]
      )

describe("messages", () => {
  it("take values, count in the language and choose", () => {
    assert.strictEqual(say("Hello {name}", { name: "Ada" }), "Hello Ada")
    const count = "{n, plural, =0 {none} one {# video of {who}} other {# videos of {who}}}"
    assert.strictEqual(say(count, { n: 0, who: "a" }), "none")
    assert.strictEqual(say(count, { n: 1, who: "a" }), "1 video of a")
    assert.strictEqual(say(count, { n: 2000, who: "a" }), "2,000 videos of a")
    // Zero is singular in French.
    assert.strictEqual(say("{n, plural, one {# vidéo} other {# vidéos}}", { n: 0 }, "fr"), "0 vidéo")
    assert.strictEqual(say("{n, selectordinal, one {#st} two {#nd} other {#th}}", { n: 22 }), "22nd")
    assert.strictEqual(say("{who, select, me {mine} other {theirs}}", { who: "me" }), "mine")
    assert.strictEqual(say("{part, number, percent}", { part: 0.25 }), "25%")
    assert.strictEqual(
      say("{n, plural, offset:1 one {you and # more} other {you and # others}}", { n: 3 }),
      "you and 2 others"
    )
  })
  it("fail to compile when they are wrong", () => {
    assert.throws(() => compile("{n, plural, one {x}}"))
    assert.throws(() => compile("{n"))
    assert.throws(() => compile("{n, money}"))
  })

  // Those of the public pages stand beside those of the working areas.
  const folder = new URL("../../src/messages/", import.meta.url)
  const shared = new URL("../../../domain/src/messages/", import.meta.url)
  for (const file of [folder, shared].flatMap((it) =>
    readdirSync(new URL("en/", it)).map((name) => [it, name] as const)
  )) {
    const [place, name] = file
    if (!/^[a-z]/.test(name)) continue
    it(`of ${name} are whole in French, and take the same values`, async () => {
      const source: Record<string, string> = (await import(new URL(`en/${name}`, place).href)).messages
      const translated: Record<string, string> = (await import(new URL(`fr/${name}`, place).href)).messages
      assert.deepStrictEqual(Object.keys(translated).toSorted(), Object.keys(source).toSorted())
      for (const [key, text] of Object.entries(source)) {
        const names = (it: string) => [...new Set(namesIn(compile(it)))].toSorted()
        assert.deepStrictEqual(names(translated[key] ?? ""), names(text), key)
      }
    })
  }
})
