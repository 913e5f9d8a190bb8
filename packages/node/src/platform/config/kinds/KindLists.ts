import { Result, Schema } from "effect"
import { type Kind, make, show } from "./Kind.ts"

const decodeJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

/** Environment variables carry lists as JSON or as text separated by commas. */
const elements = (input: unknown): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(input)) return input
  if (typeof input !== "string") return undefined
  const source = input.trim()
  if (source.startsWith("[")) {
    const parsed = Result.getOrUndefined(decodeJson(source))
    return Array.isArray(parsed) ? parsed : undefined
  }
  return source.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]))
}

/** A list whose elements are all of one kind. */
export const list = <A, Written>(kind: Kind<A, Written>): Kind<ReadonlyArray<A>, ReadonlyArray<Written>> =>
  make<ReadonlyArray<A>, ReadonlyArray<Written>>({
    accepts: `a list, each element ${kind.accepts} (in the environment: JSON, or separated by commas)`,
    nixType: `listOf (${kind.nixType})`,
    secret: kind.secret,
    read: (input) => {
      const parts = elements(input)
      if (parts === undefined) return Result.fail(`${show(input)} is not a list`)
      const read = parts.map((part, index) => Result.mapError(kind.read(part), (why) => `element ${index + 1}: ${why}`))
      const problems = read.filter(Result.isFailure).map((result) => result.failure)
      return problems.length > 0
        ? Result.fail(problems.join("; "))
        : Result.succeed(read.filter(Result.isSuccess).map((result) => result.success))
    }
  })

/** A list of records, each of which a schema decodes (in the environment: JSON). */
export const records = <A, Written>(
  schema: Schema.Codec<A, Written>,
  shape: string
): Kind<ReadonlyArray<A>, ReadonlyArray<Written>> => {
  const decode = Schema.decodeUnknownResult(Schema.Array(schema))
  return make<ReadonlyArray<A>, ReadonlyArray<Written>>({
    accepts: `a list of ${shape} (in the environment: JSON)`,
    nixType: "listOf attrs",
    read: (input) => {
      const parts = elements(input)
      return parts === undefined
        ? Result.fail(`${show(input)} is not a list`)
        : Result.mapError(decode(parts), (error) => error.message.replaceAll(/\s*\n\s*/g, " "))
    }
  })
}
