import { Duration } from "effect"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** What a receiver gets for an answer, the connection included. */
export const attemptTimeout = Duration.seconds(15)

/** What a receiver may ask for by `Retry-After`, and gets. */
export const maxRetryAfterMillis = hour

/** The log keeps so much of an answer. */
export const keptAnswerBytes = 1_000

/** Waits after each attempt that failed: ten attempts in about 22 hours. */
const waits = [10 * second, minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 6 * hour, 8 * hour] as const

/** A message that could not be tried ten times because its receiver did not answer fails with the first attempt after this. */
const longestMillis = 30 * hour

const firstRest = 10 * second
const longestRest = 15 * minute

/** A webhook that has failed for so long becomes inactive. */
const disabledAfterMillis = 5 * 24 * hour

/** `random` is between 0 and 1. */
const jittered = (millis: number, random: number): number => Math.round(millis * (0.9 + random / 5))

/** How long a message waits after its nth failed attempt, counted from 1; undefined: it has failed for good. */
export const waitMillis = (attempts: number, ageMillis: number, random: number): number | undefined => {
  const wait = waits[attempts - 1]
  return wait === undefined || ageMillis > longestMillis ? undefined : jittered(wait, random)
}

/** How long a receiver is left alone that did not answer for the nth time in a row. */
export const restMillis = (silentTimes: number, random: number): number =>
  jittered(Math.min(firstRest * 2 ** Math.min(silentTimes - 1, 20), longestRest), random)

/** Whether a webhook that fails has failed for so long that it becomes inactive. */
export const failsForDays = (failingSince: Date | null, now: number): boolean =>
  failingSince !== null && now - failingSince.getTime() > disabledAfterMillis
