import { CustomSettingRows } from "@kinora/storage/instance/settings/CustomSettingRows"
import { Effect, Layer } from "effect"
import { CustomSettings } from "../instance/settings/CustomSettings.ts"
import { AuditTrail } from "../platform/audit/AuditTrail.ts"
import { commandLogging, configLayer, migratedDatabase } from "./CommandLayers.ts"

/** Settings that administrators changed hold for commands too. */
const settings = Layer.effectDiscard(Effect.flatMap(CustomSettings, ({ load }) => load)).pipe(
  Layer.provideMerge(CustomSettings.layer),
  Layer.provide(CustomSettingRows.layer)
)

/**
 * What acts of operators stand on: the configuration with its settings, the migrated database, and the audit
 * log. Works beside a running instance, and without one: everything goes through the database.
 */
export const operatorLayer = settings.pipe(
  Layer.provideMerge(AuditTrail.layer),
  Layer.provideMerge(migratedDatabase),
  Layer.provideMerge(Layer.merge(configLayer, commandLogging))
)
