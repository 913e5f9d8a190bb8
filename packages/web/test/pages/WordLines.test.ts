import { assert, describe, it } from "vitest"
import { longLine, nameWrong, wordsOf, wordsWrong } from "../../src/pages/words/WordLines.ts"

describe("words to watch for", () => {
  it("are read one a line, each once", () => {
    assert.deepStrictEqual(wordsOf("spam\n\n  buy now \nspam\n"), ["spam", "buy now"])
  })
  it("keep to the bounds of the contract", () => {
    assert.isUndefined(wordsWrong("spam"))
    assert.strictEqual(wordsWrong(" \n"), "noWords")
    assert.strictEqual(wordsWrong(Array.from({ length: 501 }, (_, i) => `word ${i}`).join("\n")), "tooMany")
    assert.strictEqual(wordsWrong(`a\n${"b".repeat(101)}`), "lineLong")
    assert.strictEqual(longLine(`a\n${"b".repeat(101)}`), 2)
    assert.isUndefined(longLine("😀".repeat(100)))
  })
  it("have a name that no tag of the program has", () => {
    assert.isUndefined(nameWrong("spam"))
    assert.strictEqual(nameWrong(" "), "nameWrong")
    assert.strictEqual(nameWrong("External-Link"), "nameTaken")
  })
})
