import { Schema } from "effect"

/** Where a refused value was found. */
export type ParamLocation = "params" | "body" | "header" | "query" | "cookies"

/** One failing field of a request, as clients read it under `invalid-params`. */
export interface InvalidParam {
  readonly type: "field"
  readonly msg: string
  readonly param: string
  readonly path: string
  readonly location: ParamLocation
  readonly value?: unknown
}

/** Body of an error answer (RFC 9457 as extended by the contract, specification "Errors"). */
export const ProblemDocument = Schema.Struct({
  type: Schema.String,
  title: Schema.optionalKey(Schema.String),
  status: Schema.Int,
  detail: Schema.optionalKey(Schema.String),
  instance: Schema.optionalKey(Schema.String),
  docs: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
  "invalid-params": Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.Struct({
        type: Schema.Literal("field"),
        msg: Schema.String,
        param: Schema.String,
        path: Schema.String,
        location: Schema.Literals(["params", "body", "header", "query", "cookies"]),
        value: Schema.optionalKey(Schema.Unknown)
      })
    )
  )
}).annotate({ identifier: "Problem" })
export type ProblemDocument = typeof ProblemDocument.Type
