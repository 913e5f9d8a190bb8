import { signal } from "@preact/signals"
import { call } from "../api/Call.ts"

/** What an instance may have turned off, and pages are for. */
export type Feature = "live"

const features = signal<ReadonlySet<Feature>>(new Set())

let asked = false

/** Asks once what the instance offers; what is not known is not offered. */
const askOnce = async (): Promise<void> => {
  if (asked) return
  asked = true
  const answer = await call("GET /api/v1/config")
  if (answer.ok && answer.body.live.enabled) features.value = new Set(["live"])
  // Without an answer the next page asks again.
  asked = answer.ok
}

/** Whether the instance offers something: asks on the first use, and redraws when it is known. */
export const isOffered = (feature: Feature | undefined): boolean => {
  if (feature === undefined) return true
  void askOnce()
  return features.value.has(feature)
}
