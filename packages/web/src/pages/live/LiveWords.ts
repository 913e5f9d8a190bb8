import { LiveError } from "@kinora/domain/enums/Live"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { Failure } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { failureWords } from "../../ui/Words.ts"

const t = text("lives")

/** Refusals that say what can be done, in the language of the page. */
export const refusalWords = (failure: Failure): string => {
  switch (failure.code) {
    case "live_not_enabled":
      return t("notEnabled")
    case "live_not_allowing_replay":
      return t("noReplays")
    case "max_instance_lives_limit_reached":
      return t("instanceIsFull")
    case "max_user_lives_limit_reached":
      return t("userIsFull")
    default:
      return failureWords(failure)
  }
}

const known: ReadonlySet<number> = new Set(Object.values(LiveError))

/** Why a session ended early, in words. */
export const errorWords = (error: number): string =>
  t("errorName", { error: known.has(error) ? error : LiveError.unknown })

export type LiveState = "waiting" | "on" | "ended" | "replay"

/** Where a live is, by what the API says of its video. A replay is an ordinary video. */
export const stateOf = (isLive: boolean, state: number): LiveState => {
  if (!isLive) return "replay"
  if (state === VideoState.published) return "on"
  return state === VideoState.waitingForLive ? "waiting" : "ended"
}
