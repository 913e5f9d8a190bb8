import { cleanText } from "../html/Escape.ts"

const longestSubject = 200
const longestAddress = 320

/**
 * Foreign text for one line of a header: without line breaks and other control characters that could start another
 * header (RFC 5322 §2.2).
 */
export const oneLine = (text: string, longest = longestSubject): string =>
  cleanText(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, longest)
    .toWellFormed()

/** One mailbox, without display name, quoted part or anything that a program could read as a second mailbox. */
const mailbox = /^(?!-)[^\s\p{Cc}\p{Zl}\p{Zp}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}\p{Zl}\p{Zp}@<>()[\]\\,;:"]{1,255}$/u

/**
 * Whether mail may be sent to this address: exactly one mailbox, which cannot be mistaken for a command line option.
 */
export const isMailbox = (address: string): boolean => address.length <= longestAddress && mailbox.test(address)
