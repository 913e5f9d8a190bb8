/** Longer headers are cut: nobody reads so many languages. */
const longest = 1_000

/** Languages of an `Accept-Language` header (RFC 9110, 12.5.4), the most wanted first; without those that are refused and without `*`. */
export const acceptedLanguages = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .slice(0, longest)
    .split(",")
    .flatMap((part) => {
      const [range = "", ...parameters] = part.split(";").map((it) => it.trim())
      const quality = parameters.find((it) => /^q=/i.test(it))?.slice(2)
      const isWritten = quality === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality)
      return /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i.test(range) && isWritten
        ? [{ range, weight: quality === undefined ? 1 : Number(quality) }]
        : []
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ range }) => range)
