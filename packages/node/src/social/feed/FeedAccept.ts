interface Range {
  readonly type: string
  readonly quality: number
}

const rangesOf = (accept: string): ReadonlyArray<Range> =>
  accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";")
    const quality = parameters.map((it) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(it)?.[1]).find((it) => it)
    return { type: type.trim().toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }
  })

/** How specific a range is for a type; 0 when it is not for it. */
const precision = (range: string, type: string): number =>
  range === type ? 3 : range === `${type.slice(0, type.indexOf("/"))}/*` ? 2 : range === "*/*" ? 1 : 0

/**
 * Which of the types the client likes best (RFC 9110, 12.5.1), the first of those it likes alike; undefined when it takes
 * none. No Accept header takes all.
 */
export const acceptedType = (types: ReadonlyArray<string>, accept: string | undefined): string | undefined => {
  if (accept === undefined || accept.trim() === "" || accept.trim() === "*/*") return types[0]
  const ranges = rangesOf(accept)
  let best: { readonly type: string; readonly quality: number } | undefined
  for (const type of types) {
    let closest: Range | undefined
    let close = 0
    for (const range of ranges) {
      const fits = precision(range.type, type)
      if (fits > close) {
        close = fits
        closest = range
      }
    }
    if (closest !== undefined && closest.quality > (best?.quality ?? 0)) best = { type, quality: closest.quality }
  }
  return best?.type
}
