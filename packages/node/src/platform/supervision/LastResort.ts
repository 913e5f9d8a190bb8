import process from "node:process"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Milliseconds; longer than an orderly stop takes. */
let limit = 13_000

/** Ends the process some time after it was asked to stop, however much still hangs. Called once, by the entry point. */
export const installLastResort = (): void => {
  for (const signal of signals) {
    process.once(signal, () => void setTimeout(() => process.exit(1), limit).unref())
  }
}

/** Gives an orderly stop that many milliseconds before the process is cut off. */
export const allowForStop = (millis: number): void => {
  limit = millis
}
