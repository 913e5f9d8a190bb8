import { AbuseState } from "@kinora/domain/enums/AbuseState"
import { toAbuseListQuery } from "@kinora/domain/requests/AbuseRequests"
import { operator } from "@kinora/domain/users/Operator"
import type { AdminAbuse } from "@kinora/domain/wire/Abuse"
import { AbuseLists } from "@kinora/storage/social/abuse/AbuseLists"
import { AbuseRows } from "@kinora/storage/social/abuse/AbuseRows"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AbuseModeration } from "../social/abuse/AbuseModeration.ts"
import { ModeratorActs } from "../social/abuse/ModeratorActs.ts"
import { toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printDone, printList, search } from "./Output.ts"

const layer = AbuseModeration.layer.pipe(
  Layer.provide([AbuseLists.layer, AbuseRows.layer, ModeratorActs.layer, NotificationEvents.layer]),
  Layer.provide(operatorLayer)
)

/** What a report is about, in a few words. */
const aboutOf = ({ comment, flaggedAccount: owner, video }: AdminAbuse): string => {
  const by = owner === null || owner === undefined ? "" : ` of ${owner.name}@${owner.host}`
  if (comment !== null && comment !== undefined) return `comment ${comment.id}${by}`
  return video === null || video === undefined ? `account${by}` : `video ${video.id}${by}`
}

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", ["pending", "rejected", "accepted", "all"]).pipe(
      Flag.withDescription("Print only reports in this state; pending unless given"),
      Flag.withDefault("pending" as const)
    ),
    search: search("the reason, or in who or what was reported"),
    count,
    json
  },
  (input) =>
    Effect.gen(function* () {
      const moderation = yield* AbuseModeration
      const found = yield* moderation.all(
        operator,
        toAbuseListQuery({
          count: input.count,
          ...(input.state === "all" ? {} : { state: AbuseState[input.state] }),
          ...(Option.isSome(input.search) ? { search: input.search.value } : {})
        })
      )
      yield* printList(input.json, found, {
        id: ({ id }) => id,
        state: ({ state }) => state.label,
        about: aboutOf,
        reporter: ({ reporterAccount }) =>
          reporterAccount === undefined ? null : `${reporterAccount.name}@${reporterAccount.host}`,
        since: ({ createdAt }) => createdAt,
        reason: ({ reason }) => reason
      })
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List reports to the moderators, the newest first."))

/** `accept` or `reject`: the report is decided, and the reporter notified. */
const decision = (name: "accept" | "reject", state: "accepted" | "rejected", description: string) =>
  Command.make(
    name,
    {
      report: Argument.Int("report").pipe(Argument.withDescription("Id of the report")),
      comment: Flag.String("comment").pipe(
        Flag.withMetavar("TEXT"),
        Flag.withDescription("A comment for moderators alone"),
        Flag.optional
      ),
      json
    },
    (input) =>
      Effect.gen(function* () {
        const moderation = yield* AbuseModeration
        yield* moderation.update(operator, input.report, {
          state: AbuseState[state],
          ...(Option.isSome(input.comment) ? { moderationComment: input.comment.value } : {})
        })
        yield* printDone(input.json, { id: input.report, state }, `Report ${input.report} is ${state}.`)
      }).pipe(Effect.provide(layer), toCliFailure)
  ).pipe(Command.withDescription(description))

export const reportsCommand = Command.make("reports").pipe(
  Command.withDescription("Reports of videos, comments and accounts"),
  Command.withSubcommands([
    list,
    decision("accept", "accepted", "Mark a report as right. The reporter is notified. Nothing else happens by itself."),
    decision("reject", "rejected", "Mark a report as unfounded. The reporter is notified.")
  ])
)
