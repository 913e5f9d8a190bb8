import { version } from "@kinora/domain/Version"
import { TracesExported } from "@kinora/storage/platform/jobs/TracesExported"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { KinoraConfig } from "../config/Config.ts"

/** `name=value,name=value` as the OpenTelemetry variables have it. */
const parseHeaders = (headers: Redacted.Redacted<string> | null): Record<string, string> =>
  headers === null
    ? {}
    : Object.fromEntries(
        Redacted.value(headers)
          .split(",")
          .flatMap((pair) => {
            const at = pair.indexOf("=")
            return at < 1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const]
          })
      )

/** URL of one signal below a collector's base URL, which may or may not end in a slash. */
const signal = (base: string, name: "logs" | "metrics" | "traces"): string => `${base.replace(/\/+$/, "")}/v1/${name}`

/**
 * Exports logs, metrics and traces by OTLP/HTTP as `open_telemetry` configures; exports nothing by default. Build it
 * after `loggingLayer`: it adds to the existing loggers.
 */
export const telemetryLayer = Layer.unwrap(
  KinoraConfig.use((config) => {
    const { metrics, otlp, service_name, tracing } = config.open_telemetry
    const resource = {
      serviceName: service_name,
      serviceVersion: version,
      attributes: { "service.instance.host": config.derived.host }
    }
    const shared = { resource, headers: parseHeaders(otlp.headers), exportInterval: otlp.interval }
    const traces = tracing.jaeger_exporter.endpoint || otlp.endpoint
    const exporters = Layer.mergeAll(
      otlp.endpoint === ""
        ? Layer.empty
        : OtlpLogger.layer({ ...shared, url: signal(otlp.endpoint, "logs"), mergeWithExisting: true }),
      otlp.endpoint === "" || !metrics.enabled
        ? Layer.empty
        : OtlpMetrics.layer({ ...shared, url: signal(otlp.endpoint, "metrics") }),
      traces === "" || !tracing.enabled
        ? Layer.empty
        : Layer.merge(
            OtlpTracer.layer({ ...shared, url: signal(traces, "traces") }),
            Layer.succeed(TracesExported, true)
          )
    )
    return Effect.succeed(exporters.pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])))
  })
)
