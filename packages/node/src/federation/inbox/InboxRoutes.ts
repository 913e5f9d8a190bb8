import { clientKey } from "@kinora/domain/network/ClientKey"
import { isActivityType } from "@kinora/federation/negotiation/ActivityTypes"
import { InboxNotFound } from "@kinora/domain/errors/InboxErrors"
import { UnsupportedContentType } from "@kinora/domain/errors/RequestErrors"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer } from "../../platform/http/Answer.ts"
import { noteExempt } from "../../platform/http/ExemptRequests.ts"
import { wholeBody } from "../../platform/http/WholeBody.ts"
import { Inbox } from "./Inbox.ts"

/** Of one request (corpus AP-31). */
const maxBytes = 1024 * 1024

/** Names of local actors; others are nobody's, and some no text that a database takes. */
const actorName = /^[\w.-]{1,120}$/

/** Some servers send activities as plain JSON. */
const isReadable = (contentType: string): boolean =>
  isActivityType(contentType) || contentType.split(";", 1)[0]!.trim().toLowerCase() === "application/json"

/** The raw path and query, as they are signed, of an address as the server makes it of the request line. */
const targetOf = (address: string): string => {
  const authority = address.indexOf("://")
  return authority === -1 ? address : address.slice(address.indexOf("/", authority + 3))
}

/** Inboxes: that of the instance, and those of its accounts and channels (contract: tag ActivityPub). */
export const InboxRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { derived } = yield* KinoraConfig
    const inbox = yield* Inbox
    const targets = yield* InboxTargets

    const receive = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { headers } = request
      const contentType = headers["content-type"] ?? ""
      if (!isReadable(contentType)) {
        return yield* new UnsupportedContentType({ contentType: contentType.slice(0, 200) })
      }
      const body = yield* wholeBody(request, maxBytes)
      const client = Option.getOrUndefined(Option.map(request.remoteAddress, clientKey))
      if (yield* inbox.receive({ target: targetOf(request.originalUrl), headers, body, client })) noteExempt(request)
    })

    const personal = (folder: string) =>
      Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { name = "" } = yield* HttpRouter.params
        if (!actorName.test(name)) return yield* new InboxNotFound()
        if ((yield* targets.localActor(`${derived.origin}/${folder}/${name.toLowerCase()}`)) === undefined) {
          return yield* new InboxNotFound()
        }
        yield* receive(request)
      })

    const toAccount = personal("accounts")
    const toChannel = personal("video-channels")
    yield* router.add("POST", "/inbox", (request) => answer(receive(request)))
    yield* router.add("POST", "/accounts/:name/inbox", (request) => answer(toAccount(request)))
    yield* router.add("POST", "/video-channels/:name/inbox", (request) => answer(toChannel(request)))
  })
)
