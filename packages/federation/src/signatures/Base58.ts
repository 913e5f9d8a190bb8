const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const values = new Map(Array.from(alphabet, (character, value) => [character, value]))

/** Bytes in base58 of the Bitcoin alphabet, as multibase `z` has it. Time grows with the square of the length. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  const digits: Array<number> = []
  for (const byte of bytes) {
    let carry = byte
    for (let at = 0; at < digits.length; at++) {
      carry += (digits[at] ?? 0) << 8
      digits[at] = carry % 58
      carry = Math.floor(carry / 58)
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58)
  }
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  return (
    "1".repeat(zeros) +
    digits
      .reverse()
      .map((digit) => alphabet[digit])
      .join("")
  )
}

/** Undefined for a character that is not of the alphabet. The caller bounds the length: time grows with its square. */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  const bytes: Array<number> = []
  for (const character of text) {
    let carry = values.get(character)
    if (carry === undefined) return undefined
    for (let at = 0; at < bytes.length; at++) {
      carry += (bytes[at] ?? 0) * 58
      bytes[at] = carry & 0xff
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff)
  }
  let zeros = 0
  while (zeros < text.length && text[zeros] === "1") zeros++
  return Uint8Array.from([...Array.from({ length: zeros }, () => 0), ...bytes.reverse()])
}
