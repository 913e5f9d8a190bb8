import { Schema } from "effect"

/** ISO 8601 in UTC with milliseconds, the form of every time on the wire. */
export const Timestamp = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)).annotate({
  format: "date-time"
})

/** An absolute http or https address. */
export const Url = Schema.String.check(Schema.isPattern(/^https?:\/\//)).annotate({ format: "uri" })

export const NullableString = Schema.NullOr(Schema.String)
export const NullableTimestamp = Schema.NullOr(Timestamp)

/** `{ id, label }` with a numeric id. */
export const NumberConstant = Schema.Struct({ id: Schema.Int, label: Schema.String })

/** `{ id, label }` whose id is null (label "Unknown") when nothing was chosen. */
export const OptionalNumberConstant = Schema.Struct({ id: Schema.NullOr(Schema.Int), label: Schema.String })
export const OptionalStringConstant = Schema.Struct({ id: NullableString, label: Schema.String })

export const Enabled = Schema.Struct({ enabled: Schema.Boolean })

/** Page of a list: the number of all items and those of the page. */
export const Page = <S extends Schema.Top>(item: S) => Schema.Struct({ total: Schema.Int, data: Schema.Array(item) })
