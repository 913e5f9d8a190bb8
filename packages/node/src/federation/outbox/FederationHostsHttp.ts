import { ServerNotFound } from "@kinora/domain/errors/FollowErrors"
import { toFederationHostPage } from "@kinora/domain/requests/FederationHostRequests"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { DeliveryReads } from "@kinora/storage/federation/outbox/DeliveryReads"
import { Effect, Option } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { HostRetries } from "./HostRetries.ts"

/** Why a host has not received what it should have. */
export const layer = apiGroup(
  "federationHosts",
  Effect.fnUntraced(function* (handlers) {
    const reads = yield* DeliveryReads
    const retries = yield* HostRetries
    return handlers.handleAll({
      getServerFederationHosts: ({ query }) => answer(Effect.map(reads.hosts(toFederationHostPage(query)), jsonText)),
      getServerFederationHost: ({ params }) =>
        answer(
          Effect.flatMap(
            reads.host(params.host),
            Option.match({
              onNone: () => new ServerNotFound(),
              onSome: (body) => Effect.succeed(jsonText(body))
            })
          )
        ),
      postServerFederationHostRetry: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => retries.retry(user, params.host)))
    } satisfies Answers<"federationHosts">)
  })
)
