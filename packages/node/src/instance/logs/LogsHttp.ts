import { Viewer } from "@kinora/domain/users/CurrentUser"
import type { AuditLogRow } from "@kinora/domain/wire/Log"
import { AuditLists } from "@kinora/storage/platform/audit/AuditLists"
import { Effect, Option } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { ClientLogs } from "./ClientLogs.ts"
import { ServerLogs } from "./ServerLogs.ts"

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))

/** Logs of this node, of administration, and of browsers. */
export const layer = apiGroup(
  "logs",
  Effect.fnUntraced(function* (handlers) {
    const logs = yield* ServerLogs
    const audit = yield* AuditLists
    const clients = yield* ClientLogs
    return handlers.handleAll({
      getInstanceLogs: ({ query: { endDate, level = "info", startDate, tagsOneOf = [] } }) =>
        answer(logs.list({ from: dateOf(startDate), to: dateOf(endDate), level, tags: tagsOneOf })),
      getInstanceAuditLogs: ({ query: { endDate, startDate } }) =>
        answer(
          Effect.map(audit.list(dateOf(startDate), dateOf(endDate)), (entries) =>
            entries
              .map(({ action, after, before, createdAt, domain, target, username }): AuditLogRow => ({
                timestamp: createdAt.toISOString(),
                level: "audit",
                user: username,
                domain,
                action,
                target,
                before,
                after
              }))
              .reverse()
          )
        ),
      sendClientLog: ({ payload }) =>
        answer(
          Effect.flatMap(Viewer, ({ user }) =>
            clients.take(payload, Option.getOrUndefined(Option.map(user, ({ username }) => username)))
          )
        )
    } satisfies Answers<"logs">)
  })
)
