import { Layer } from "effect"
import { loggingLayer } from "./Logging.ts"
import { telemetryLayer } from "./Telemetry.ts"

/** Logs, and the export of logs, metrics and traces, as configured. */
export const observabilityLayer = telemetryLayer.pipe(Layer.provideMerge(loggingLayer))
