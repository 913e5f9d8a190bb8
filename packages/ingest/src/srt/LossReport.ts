import type { SequenceRange } from "./ReceiveBuffer.ts"

const isRange = 0x80_00_00_00

/** Ranges that find a place in one report, if each takes two words. */
export const mostRanges = 180

/** The body of a loss report (SRT 3.2.5, appendix A). */
export const lossReport = (ranges: ReadonlyArray<SequenceRange>): Buffer => {
  const words = ranges.flatMap(({ first, last }) => (first === last ? [first] : [(first | isRange) >>> 0, last]))
  const body = Buffer.allocUnsafe(words.length * 4)
  for (const [index, word] of words.entries()) body.writeUInt32BE(word, index * 4)
  return body
}
