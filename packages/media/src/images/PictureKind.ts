/** Formats of images that may be decoded. Never SVG: it is a program. */
export type PictureKind = "jpeg" | "png" | "webp" | "gif"

const starts = (bytes: Uint8Array, magic: ReadonlyArray<number>, at = 0): boolean =>
  magic.every((byte, index) => bytes[at + index] === byte)

const text = (word: string): ReadonlyArray<number> => [...word].map((letter) => letter.charCodeAt(0))

/** Detects the format of an image by its first 12 bytes. Names and media types are ignored. */
export const pictureKind = (bytes: Uint8Array): PictureKind | undefined => {
  if (starts(bytes, [0xff, 0xd8, 0xff])) return "jpeg"
  if (starts(bytes, [0x89, ...text("PNG"), 0x0d, 0x0a, 0x1a, 0x0a])) return "png"
  if (starts(bytes, text("RIFF")) && starts(bytes, text("WEBP"), 8)) return "webp"
  if (starts(bytes, text("GIF87a")) || starts(bytes, text("GIF89a"))) return "gif"
  return undefined
}
