/** Levels of log lines, from the least to the most important (contract: ServerLogLevel). */
export const serverLogLevels = ["debug", "info", "warn", "error"] as const
export type ServerLogLevel = (typeof serverLogLevels)[number]

/** Levels of what browsers report (contract: ClientLogLevel). */
export const clientLogLevels = ["warn", "error"] as const
