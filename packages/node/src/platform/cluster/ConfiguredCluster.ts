import { Effect, Layer } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { ClusterLayer } from "./ClusterLayer.ts"
import { SeveralNodes } from "./SeveralNodes.ts"

/** Actors in this process alone, or placed among several nodes: as the configuration says. */
export const ConfiguredCluster = Layer.unwrap(
  Effect.map(KinoraConfig, ({ cluster }) => (cluster.enabled ? SeveralNodes : ClusterLayer))
)
