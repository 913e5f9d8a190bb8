/**
 * What does not make another word: accents, vowel points of Hebrew and Arabic, and what has no width. Marks that make another letter
 * stay, such as the voicing of kana and the vowels of Indic scripts.
 */
const marks =
  /[\p{Default_Ignorable_Code_Point}\u0640[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]]/gv

const spaces = /[\p{White_Space}\p{Cc}]+/gu

const plain = /^[\x20-\x7e]*$/

/**
 * Text as words are compared: case, accents, forms of presentation (full width, ligatures, mathematical letters) and the length of
 * spaces do not count.
 */
export const foldText = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase().replace(spaces, " ")
    : text
        .normalize("NFKD")
        .replace(marks, "")
        // Through capitals: ß becomes ss, and the dotless ı an i.
        .toUpperCase()
        .toLowerCase()
        .replaceAll("ς", "σ")
        .normalize("NFC")
        .replace(spaces, " ")
