import { AutomaticTagPolicy, externalLinkTag } from "@kinora/domain/enums/AutomaticTag"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { AutomaticTagAvailable } from "@kinora/domain/wire/AutomaticTags"
import { TagPolicyRows } from "@kinora/storage/people/tags/TagPolicyRows"
import { WatchedWordLists } from "@kinora/storage/people/words/WatchedWordLists"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import type { Watcher } from "../words/Watchers.ts"

/** How a policy is named in requests and in the audit log. */
const fields = { [AutomaticTagPolicy.reviewComment]: "review", [AutomaticTagPolicy.blockVideo]: "autoBlock" } as const

const isSame = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): boolean =>
  before.length === after.length && after.every((name) => before.includes(name))

/** What becomes of comments and videos that have automatic tags. */
export class AutomaticTags extends Context.Service<
  AutomaticTags,
  {
    readonly available: (watcher: Watcher) => Effect.Effect<AutomaticTagAvailable, DatabaseUnavailable>
    readonly chosen: (
      watcher: Watcher,
      policy: AutomaticTagPolicy
    ) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Replaces what was chosen. A tag that is not available is refused. */
    readonly choose: (
      watcher: Watcher,
      policy: AutomaticTagPolicy,
      names: ReadonlyArray<string>
    ) => Effect.Effect<void, InvalidParameters | DatabaseUnavailable>
  }
>()("@kinora/node/people/tags/AutomaticTags") {
  static readonly layer = Layer.effect(
    AutomaticTags,
    Effect.gen(function* () {
      const policies = yield* TagPolicyRows
      const lists = yield* WatchedWordLists
      const audit = yield* AuditTrail

      const available = Effect.fn("AutomaticTags.available")(function* ({ accountId }: Watcher) {
        const names = yield* lists.names(accountId)
        return {
          available: [
            { name: externalLinkTag, type: "core" as const },
            ...names.map((name) => ({ name, type: "watched-words-list" as const }))
          ]
        }
      })

      const chosen = ({ accountId }: Watcher, policy: AutomaticTagPolicy) => policies.of(accountId, policy)

      const choose = Effect.fn("AutomaticTags.choose")(function* (
        watcher: Watcher,
        policy: AutomaticTagPolicy,
        names: ReadonlyArray<string>
      ) {
        const known = new Map((yield* available(watcher)).available.map(({ name }) => [name.toLowerCase(), name]))
        const meant = names.map((name) => known.get(name.toLowerCase()))
        const field = fields[policy]
        if (meant.includes(undefined)) {
          const unknown = names.filter((_, nth) => meant[nth] === undefined)
          return yield* InvalidParameters.one(field, `Must be available tags, unlike ${unknown.join(", ")}`, "body")
        }
        const before = yield* chosen(watcher, policy)
        const after = [...new Set(meant.filter((name) => name !== undefined))]
        if (isSame(before, after)) return
        yield* audit.actFor(
          watcher.moderator,
          () => ({
            domain: "automatic-tags",
            action: "update",
            before: { [field]: before },
            after: { [field]: after }
          }),
          policies.replace(watcher.accountId, policy, after)
        )
      })

      return AutomaticTags.of({ available, chosen, choose })
    })
  )
}
