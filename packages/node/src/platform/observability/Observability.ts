import { Layer } from "effect"
import { loggingLayer } from "./Logging.ts"
import { telemetryLayer } from "./Telemetry.ts"

/** Logs, and export of logs, metrics and traces, all as the configuration asks for. */
export const observabilityLayer = telemetryLayer.pipe(Layer.provideMerge(loggingLayer))
