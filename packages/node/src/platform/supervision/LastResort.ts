import process from "node:process"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Milliseconds. Longer than an orderly stop takes. */
let limit = 13_000

/** Ends the process some time after it was asked to stop, even if something hangs. Called once, by the entry point. */
export const installLastResort = (): void => {
  for (const signal of signals) {
    process.once(signal, () => void setTimeout(() => process.exit(1), limit).unref())
  }
}

/** Sets how many milliseconds an orderly stop may take before the process is ended. */
export const allowForStop = (millis: number): void => {
  limit = millis
}
