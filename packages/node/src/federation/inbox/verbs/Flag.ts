import { abuseReasons } from "@kinora/domain/enums/AbuseReason"
import { isObject, type Json, type JsonObject } from "@kinora/federation/vocabulary/Json"
import { integerOf, listOf, textOf } from "@kinora/federation/vocabulary/Reading"
import { ReceivedReports } from "@kinora/storage/social/abuse/ReceivedReports"
import { Effect } from "effect"
import { change, refuse, type Verb } from "./Verb.ts"

/** Characters of a report (contract: Constraints, abuse.reason). */
const maxReason = 3_000
/** Things of one report that are looked at (corpus AP-26). */
const maxTargets = 10
const longestVideo = 7 * 86_400

const reasonsOf = (tags: Json | undefined): ReadonlyArray<number> => {
  const reasons = new Set<number>()
  for (const tag of listOf(tags).slice(0, 50)) {
    const name = isObject(tag) && typeof tag["name"] === "string" ? tag["name"] : ""
    if (Object.hasOwn(abuseReasons, name)) reasons.add(abuseReasons[name]!)
  }
  return [...reasons]
}

const secondsOf = (activity: JsonObject) => {
  const startAt = integerOf(activity["startAt"], 0, longestVideo)
  const endAt = integerOf(activity["endAt"], 0, longestVideo)
  return { startAt, endAt: endAt !== null && endAt > (startAt ?? 0) ? endAt : null }
}

/**
 * A report to the moderators: of videos, comments, accounts and channels of ours, all by their addresses. Other software reports
 * several things at once; each is one report.
 */
export const flag = Effect.gen(function* () {
  const reports = yield* ReceivedReports

  const verb: Verb = Effect.fnUntraced(function* ({ activity, id, subjects }, sender) {
    const { accountId } = sender
    if (accountId === null) return yield* refuse("channels report nothing")
    const targets = [...new Set(subjects.flatMap((it) => (it._tag === "Inline" ? [] : [it.id])))].slice(0, maxTargets)
    if (yield* reports.isTooMuch(accountId)) return yield* refuse("too many reports within an hour")
    const report = {
      ...{ reporterId: accountId, url: id, targets },
      reason: textOf(activity["content"], maxReason) ?? "",
      reasons: reasonsOf(activity["tag"]),
      ...secondsOf(activity)
    }
    return change(
      Effect.flatMap(reports.add(report), (made) =>
        made === 0 ? refuse("nothing of ours, or reported already") : Effect.void
      )
    )
  })
  return verb
})
