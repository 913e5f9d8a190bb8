import { Redacted, Result, Schema } from "effect"

/**
 * A kind of configuration value: what may be written (`Written`), what the program gets (`A`) and how it is described to people.
 * `read` takes what YAML or an environment variable gave; its failure says what is wrong with that value.
 */
export interface Kind<out A, out Written = unknown> {
  readonly accepts: string
  readonly nixType: string
  readonly secret: boolean
  readonly read: (input: unknown) => Result.Result<A, string>
  readonly _Written?: Written
}

/** The value as it stands in a report: short, on one line, quoted when it is text. */
export const show = (input: unknown): string => {
  const text = JSON.stringify(input) ?? String(input)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

export const make = <A, Written>(options: {
  readonly accepts: string
  readonly nixType: string
  readonly secret?: boolean
  readonly read: (input: unknown) => Result.Result<A, string>
}): Kind<A, Written> => ({ secret: false, ...options })

/** Any text, the empty one included. Numbers and booleans of YAML are taken as they are written. */
export const text: Kind<string, string> = make({
  accepts: "text",
  nixType: "str",
  read: (input) =>
    typeof input === "string"
      ? Result.succeed(input)
      : typeof input === "number" || typeof input === "boolean"
        ? Result.succeed(String(input))
        : Result.fail(`${show(input)} is not text`)
})

/** Text that matches a pattern; `accepts` describes it in words. */
export const pattern = (regex: RegExp, accepts: string): Kind<string, string> =>
  make({
    accepts,
    nixType: "str",
    read: (input) =>
      Result.flatMap(text.read(input), (value) =>
        regex.test(value) ? Result.succeed(value) : Result.fail(`${show(value)} is not ${accepts}`)
      )
  })

/** An absolute http(s) URL, or the empty text for none. */
export const url: Kind<string, string> = make({
  accepts: "an http:// or https:// address, or empty",
  nixType: "str",
  read: (input) =>
    Result.flatMap(text.read(input), (value) => {
      if (value === "") return Result.succeed(value)
      const protocol = URL.parse(value)?.protocol
      return protocol === "http:" || protocol === "https:"
        ? Result.succeed(value)
        : Result.fail(`${show(value)} is not an http(s) address`)
    })
})

/** Text never shown in logs, reports or `kinora config print`. */
export const secret: Kind<Redacted.Redacted<string>, string> = make({
  accepts: "text",
  nixType: "str",
  secret: true,
  read: (input) =>
    Result.mapError(
      Result.map(text.read(input), (value) => Redacted.make(value)),
      () => "not text"
    )
})

/** A secret that matches a pattern; `accepts` describes it in words. */
export const secretPattern = (regex: RegExp, accepts: string): Kind<Redacted.Redacted<string>, string> =>
  make({
    accepts,
    nixType: "str",
    secret: true,
    read: (input) =>
      Result.flatMap(text.read(input), (value) =>
        regex.test(value) ? Result.succeed(Redacted.make(value)) : Result.fail(`not ${accepts}`)
      )
  })

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false
}

export const boolean: Kind<boolean, boolean> = make({
  accepts: "true or false",
  nixType: "bool",
  read: (input) => {
    if (typeof input === "boolean") return Result.succeed(input)
    const known =
      typeof input === "string" || typeof input === "number" ? truths[String(input).toLowerCase()] : undefined
    return known === undefined ? Result.fail(`${show(input)} is neither true nor false`) : Result.succeed(known)
  }
})

/** A whole number between two bounds, both included. */
export const integer = (
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
  note?: string
): Kind<number, number> => {
  const range =
    maximum === Number.MAX_SAFE_INTEGER
      ? `a whole number, ${minimum} or more`
      : `a whole number from ${minimum} to ${maximum}`
  return make({
    accepts: note === undefined ? range : `${range} (${note})`,
    nixType: "int",
    read: (input) => {
      const value =
        typeof input === "number"
          ? input
          : typeof input === "string" && /^[+-]?\d+$/.test(input.trim())
            ? Number(input)
            : Number.NaN
      if (!Number.isSafeInteger(value)) return Result.fail(`${show(input)} is not a whole number`)
      if (value < minimum) return Result.fail(`${value} is too small`)
      if (value > maximum) return Result.fail(`${value} is too large`)
      return Result.succeed(value)
    }
  })
}

export const port: Kind<number, number> = integer(1, 65535)

/** One of a fixed list of words. */
export const oneOf = <const A extends string>(words: ReadonlyArray<A>): Kind<A, A> => {
  const isKnown = Schema.is(Schema.Literals(words))
  return make<A, A>({
    accepts: `one of ${words.join(", ")}`,
    nixType: `enum [ ${words.map((word) => JSON.stringify(word)).join(" ")} ]`,
    read: (input) => (isKnown(input) ? Result.succeed(input) : Result.fail(`${show(input)} is not one of them`))
  })
}

/** A value or `null` (in the environment the word `null`) for "not set". */
export const nullable = <A, Written>(kind: Kind<A, Written>): Kind<A | null, Written | null> =>
  make<A | null, Written | null>({
    accepts: `${kind.accepts}; null for none`,
    nixType: `nullOr (${kind.nixType})`,
    secret: kind.secret,
    read: (input) => (input === null || input === "null" ? Result.succeed(null) : kind.read(input))
  })
