import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** A JSON Schema fragment, as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [key: string]: unknown }

/** Annotation key under which a field carries what OpenAPI says of it. */
export const documentedKey = "x-kinora-documented"

/** How one field of a request is read, whatever carries it: a query or form gives texts, JSON gives values. */
export interface Reader<A> {
  /** What a client reads when the value is refused: one sentence, in plain words. */
  readonly message: string
  /** What OpenAPI says of the field. */
  readonly documented: JsonSchema
  /** The value meant, or undefined when there is none. */
  readonly parse: (input: unknown) => A | undefined
}

export interface Field<A> extends Schema.Codec<A, unknown> {}

/**
 * The schema of a field. A refused value is one issue at the field with the reader's message, so that a struct decoded
 * with `errors: "all"` names every failing field once; so does a required field that is missing.
 */
export const field = <A>(reader: Reader<A>): Field<A> =>
  Schema.Unknown.pipe(
    Schema.decodeTo(
      Schema.declare<A>((input): input is A => input !== undefined, { [documentedKey]: reader.documented }),
      SchemaTransformation.transformEffect<A, unknown>({
        decode: (input) => {
          const value = reader.parse(input)
          return value === undefined
            ? Effect.fail(new SchemaIssue.InvalidValue({ message: reader.message }))
            : Effect.succeed(value)
        },
        encode: (value) => Effect.succeed(value)
      })
    ),
    Schema.annotateKey({ messageMissingKey: reader.message })
  )

/** A field that may be missing. */
export const optional = <A>(reader: Reader<A>): Schema.optionalKey<Field<A>> => Schema.optionalKey(field(reader))
