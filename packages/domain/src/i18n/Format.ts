/** A compiled message: a text, or texts with what stands between them (`Compile.ts`). */
export type Message = string | ReadonlyArray<Part>

/** `[name]` is a value as it is, `[name, "plural", offset, cases]` a choice, `["#", offset]` the number of the choice around it. */
export type Part =
  | string
  | readonly [name: string]
  | readonly [name: string, kind: "number" | "date" | "time", style: string]
  | readonly [
      name: string,
      kind: "plural" | "selectordinal" | "select",
      offset: number,
      cases: Readonly<Record<string, Message>>
    ]

export type Value = string | number | Date
export type Values = Readonly<Record<string, Value>>

const rules = new Map<string, Intl.PluralRules>()
const rulesOf = (language: string, type: "cardinal" | "ordinal"): Intl.PluralRules => {
  const key = `${type} ${language}`
  const known = rules.get(key) ?? new Intl.PluralRules(language, { type })
  rules.set(key, known)
  return known
}

/**
 * A number as people write it. The first formatter takes a browser tens of milliseconds, and most counts do without: small ones are
 * written alike in all languages there are messages of.
 */
export const numeral = (value: number, language: string): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : value.toLocaleString(language)

const styled = (value: Value, kind: "number" | "date" | "time", style: string, language: string): string => {
  if (kind === "number") {
    return Number(value).toLocaleString(
      language,
      style === "percent" ? { style: "percent", maximumFractionDigits: 0 } : {}
    )
  }
  const length = style === "short" || style === "long" || style === "full" ? style : "medium"
  return new Intl.DateTimeFormat(language, kind === "date" ? { dateStyle: length } : { timeStyle: length }).format(
    new Date(value)
  )
}

const chosen = (
  value: Value,
  kind: string,
  offset: number,
  cases: Readonly<Record<string, Message>>,
  language: string
): Message => {
  if (kind === "select") return cases[String(value)] ?? cases["other"] ?? ""
  const category = rulesOf(language, kind === "plural" ? "cardinal" : "ordinal").select(Number(value) - offset)
  return cases[`=${String(value)}`] ?? cases[category] ?? cases["other"] ?? ""
}

/** The text of a compiled message in a language. */
export const format = (message: Message, values: Values, language: string, number?: number): string => {
  if (typeof message === "string") return message
  return message
    .map((part) => {
      if (typeof part === "string") return part
      const [name, kind] = part
      if (name === "#") return numeral(number ?? 0, language)
      const value = values[name] ?? ""
      if (part.length === 1) return typeof value === "number" ? numeral(value, language) : String(value)
      if (part.length === 3) return styled(value, part[1], part[2], language)
      const offset = part[2]
      const inner = kind === "select" ? number : Number(value) - offset
      return format(chosen(value, part[1], offset, part[3], language), values, language, inner)
    })
    .join("")
}
