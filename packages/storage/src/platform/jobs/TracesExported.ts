import { Context } from "effect"

/**
 * Whether traces are exported: only then are spans made for what happens by the thousand, and jobs remember who queued them. Read it
 * when a layer is built.
 */
export const TracesExported = Context.Reference<boolean>("@kinora/storage/platform/jobs/TracesExported", {
  defaultValue: () => false
})
