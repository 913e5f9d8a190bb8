import { cleanText } from "../html/Escape.ts"

const longestSubject = 200
const longestAddress = 320

/**
 * Text from people on one line of a header: no line break or other control character is left that could begin a header
 * of its own (RFC 5322 §2.2).
 */
export const oneLine = (text: string, longest = longestSubject): string =>
  cleanText(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, longest)
    .toWellFormed()

/** One mailbox, without a display name, a quoted part or anything that a program could read as a second one. */
const mailbox = /^(?!-)[^\s\p{Cc}\p{Zl}\p{Zp}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}\p{Zl}\p{Zp}@<>()[\]\\,;:"]{1,255}$/u

/** Whether mail may be sent to this address: exactly one mailbox, of which no option of a program can be made. */
export const isMailbox = (address: string): boolean => address.length <= longestAddress && mailbox.test(address)
