import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import type { JsonSchema, Reader } from "../fields/Field.ts"

/** Annotation key under which a query read in one go carries its parameters for OpenAPI. */
export const documentedQueryKey = "x-kinora-documented-query"

type Readers = Readonly<Record<string, Reader<unknown>>>

/** Values of a query whose parameters may all be missing. */
export type QueryOf<R extends Readers> = {
  readonly [K in keyof R]?: R[K] extends Reader<infer A> ? A : never
}

/**
 * The schema of a query with many parameters, all of which may be missing: read in one pass over the readers, several
 * times faster than a struct of as many optional fields. All failing parameters are named; unknown ones are ignored.
 */
export const query = <R extends Readers>(readers: R): Schema.Codec<QueryOf<R>, unknown> => {
  const entries = Object.entries(readers)
  const documented: Record<string, JsonSchema> = Object.fromEntries(
    entries.map(([name, reader]) => [name, reader.documented])
  )
  const Query = Schema.declare<QueryOf<R>>(
    (input): input is QueryOf<R> => typeof input === "object" && input !== null,
    {
      [documentedQueryKey]: documented
    }
  )
  const decode = (input: unknown): Effect.Effect<QueryOf<R>, SchemaIssue.Issue> => {
    const given = Object(input) as Record<string, unknown>
    const values: Record<string, unknown> = {}
    const issues: Array<SchemaIssue.Issue> = []
    for (const [name, reader] of entries) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (value === undefined) continue
      const read = reader.parse(value)
      if (read !== undefined) values[name] = read
      else issues.push(new SchemaIssue.Pointer([name], new SchemaIssue.InvalidValue({ message: reader.message })))
    }
    const [first, ...rest] = issues
    return first === undefined
      ? Effect.succeed(values as QueryOf<R>)
      : Effect.fail(new SchemaIssue.Composite(Query.ast, [first, ...rest]))
  }
  return Schema.Unknown.pipe(
    Schema.decodeTo(
      Query,
      SchemaTransformation.transformEffect<QueryOf<R>, unknown>({ decode, encode: Effect.succeed })
    )
  )
}
