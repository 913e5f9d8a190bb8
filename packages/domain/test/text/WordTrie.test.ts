import { assert, describe, it } from "@effect/vitest"
import { foldText } from "../../src/text/FoldedText.ts"
import { wordFinder } from "../../src/text/WordTrie.ts"

const found = (words: ReadonlyArray<string>, text: string): boolean =>
  wordFinder([{ name: "list", words }])([text]).length > 0

/** A sequence of numbers that is the same each time. */
const makeRandom = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648

describe("watched words", () => {
  it("are found as they are written, whatever their case and accents", () => {
    const same: ReadonlyArray<readonly [word: string, text: string]> = [
      ["idiot", "You IDIOT!"],
      ["idiot", "idiot"],
      ["idiot", "what an idiot's deed"],
      ["idiot", "d'idiot"],
      ["idiot", "idiot.example is not"],
      ["idiot", "an _idiot_ here"],
      ["idiot", "ｉｄｉｏｔ and 𝕚𝕕𝕚𝕠𝕥"],
      ["idiot", "id\u200b\u00adiot"],
      ["straße", "STRASSE"],
      ["naïve", "NAIVE"],
      ["ΟΔΟΣ", "οδος"],
      ["café  au\tlait", "Cafe\u0301\nau LAIT"],
      ["дурак", "Дура́к!"],
      ["שלום", "שָׁלוֹם"],
      ["محمد", "مُحَمَّد"],
      ["馬鹿", "彼は馬鹿だ"],
      ["ばか", "このばかもの"],
      ["ควาย", "ไอ้ควายนี่"],
      ["바보", "이 바보 같은"],
      ["c++", "I write C++, and that is it"],
      ["$$$", "win $$$$ now"],
      ["😀", "hi😀there"],
      ["3", "3 times"]
    ]
    for (const [word, text] of same) assert.isTrue(found([word], text), `${word} in ${text}`)
  })

  it("are not found within others", () => {
    const other: ReadonlyArray<readonly [word: string, text: string]> = [
      ["idiot", "idiots"],
      ["idiot", "the idiotic"],
      ["ass", "a class passed"],
      ["ass", "bässe"],
      ["c++", "abc++"],
      ["バカ", "バカヤロウ"],
      ["か", "が"],
      ["バ", "ハ"],
      ["3", "13 times"],
      ["дурак", "дураки"],
      ["a b", "a, b"],
      ["idiot", "i d i o t"]
    ]
    for (const [word, text] of other) assert.isFalse(found([word], text), `${word} in ${text}`)
  })

  it("are plain text: nothing of a pattern works", () => {
    for (const word of [".*", "[a-z]+", "(a+)+$", "\\w", "a|b", "^", "$", "?"]) {
      assert.isFalse(found([word], "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), word)
      assert.isTrue(found([word], `x ${word} y`), word)
    }
  })

  it("name each list that has one of them, once, in the order of the lists", () => {
    const find = wordFinder([
      { name: "first", words: ["one", "two", "ONE"] },
      { name: "second", words: ["two", "three words here"] },
      { name: "none", words: ["\u0301", "\u200b"] },
      { name: "third", words: ["twofold", "one two"] }
    ])
    assert.deepStrictEqual(find(["two"]), ["first", "second"])
    assert.deepStrictEqual(find(["three", "words here"]), [])
    assert.deepStrictEqual(find(["well: three  words\nhere"]), ["second"])
    assert.deepStrictEqual(find(["one two", "nothing"]), ["first", "second", "third"])
    assert.deepStrictEqual(find(["", "zero"]), [])
    assert.deepStrictEqual(wordFinder([])(["one"]), [])
  })

  it("are the same ones that a look at every place finds", () => {
    const random = makeRandom(17)
    const letters = ["a", "b", "é", "馬", " ", "-", "1"]
    const some = (least: number, most: number) =>
      Array.from(
        { length: least + Math.floor(random() * (most - least + 1)) },
        () => letters[Math.floor(random() * letters.length)]
      ).join("")
    const word = /[\p{L}\p{N}]/u
    const han = /\p{Script=Han}/u
    const parts = (one: string, other: string) =>
      !(word.test(one) && word.test(other)) || han.test(one) || han.test(other)
    const naive = (words: ReadonlyArray<string>, given: string) => {
      const text = foldText(given)
      return words.some((it) => {
        const wanted = foldText(it).trim()
        if (wanted === "") return false
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
          const end = at + wanted.length
          const begins = at === 0 || parts(text[at - 1]!, text[at]!)
          if (begins && (end === text.length || parts(text[end - 1]!, text[end]!))) return true
        }
        return false
      })
    }
    let hits = 0
    for (let n = 0; n < 2_000; n++) {
      const words = Array.from({ length: 4 }, () => some(1, 4))
      const text = some(0, 20)
      const expected = naive(words, text)
      if (expected) hits++
      assert.strictEqual(found(words, text), expected, JSON.stringify({ words, text }))
    }
    assert.isAbove(hits, 200)
  })

  it("may be ten thousand, and begin alike", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => `${"a ".repeat(45)}${n.toString(36)}`)
    const find = wordFinder([{ name: "many", words: many }])
    assert.deepStrictEqual(find(["a ".repeat(1_500)]), ["many"])
    assert.deepStrictEqual(find([`${"a ".repeat(44)}${(77).toString(36)}`]), [])
    assert.deepStrictEqual(find([`${"a ".repeat(46)} ${(7_777).toString(36)}!`]), ["many"])
  })
})
