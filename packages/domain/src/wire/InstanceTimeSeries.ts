import { Schema } from "effect"
import { instanceCounts, type InstanceMetric, instanceLevels } from "../enums/InstanceMetric.ts"
import { Timestamp } from "./Scalars.ts"

const optional = Schema.optionalKey(Schema.Finite)

/** Figures of one step. What was not measured in it is missing. */
const Values = Schema.Struct(
  Object.fromEntries([...instanceLevels, ...instanceCounts].map((metric) => [metric, optional])) as Record<
    InstanceMetric,
    typeof optional
  >
)

/** Figures of the instance over time. `date` is when a step begins (UTC); steps without any figure are missing. */
export const InstanceTimeSeries = Schema.Struct({
  groupInterval: Schema.Literals(["1 hour", "1 day"]),
  data: Schema.Array(Schema.Struct({ date: Timestamp, values: Values }))
}).annotate({ identifier: "InstanceTimeSeries" })
export type InstanceTimeSeries = typeof InstanceTimeSeries.Type
