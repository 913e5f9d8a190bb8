/** Tags of WebVTT that are kept (W3C WebVTT 1, 4.2.2). Anything else that looks like a tag is shown as text. */
const keptTag =
  /^<(?:\/(?:b|i|u|c|v|lang|ruby|rt)|(?:b|i|u|ruby|rt|c)(?:\.[\w-]{1,50}){0,5}|(?:v|lang)(?:\.[\w-]{1,50}){0,5}[ \t][^<>&\n]{1,200}|(?:\d{2,4}:)?\d{2}:\d{2}\.\d{3})>/

/** Character references that WebVTT knows. Others would be shown literally. */
const keptReference = /^&(?:amp|lt|gt|nbsp|lrm|rlm|#\d{1,7}|#x[0-9a-fA-F]{1,6});/

/** Line terminators and control characters. */
const control = /(?!\t)[\p{Cc}\u2028\u2029]/gu

/** A line of a WebVTT cue that is safe to serve: only WebVTT's own tags, everything else as text. */
export const safeCueLine = (line: string): string => {
  let out = ""
  let rest = line.replaceAll(control, "")
  while (rest !== "") {
    const plain = /^[^<>&]+/.exec(rest)?.[0]
    if (plain !== undefined) {
      out += plain
      rest = rest.slice(plain.length)
      continue
    }
    const kept = (rest.startsWith("<") ? keptTag : keptReference).exec(rest)?.[0]
    out += kept ?? (rest.startsWith("<") ? "&lt;" : rest.startsWith(">") ? "&gt;" : "&amp;")
    rest = rest.slice(kept?.length ?? 1)
  }
  return out
}

const fontTag = /<\/?font(?:\s[^<>]{0,200})?>/gi
const placement = /\{\\[^{}]{0,100}\}/g

/** The same for a SubRip line. Its fonts and positions, which WebVTT lacks, are removed. */
export const safeSubRipLine = (line: string): string =>
  safeCueLine(
    line
      .replaceAll(fontTag, "")
      .replaceAll(placement, "")
      .replaceAll(/<(\/?)([biu])>/gi, (_, slash: string, name: string) => `<${slash}${name.toLowerCase()}>`)
  )
