import { WhipRoutes } from "@kinora/domain/api/WhipRoutes"
import { StreamKeyUnknown } from "@kinora/domain/errors/LiveErrors"
import { UnsupportedContentType } from "@kinora/domain/errors/RequestErrors"
import { longestDescription } from "@kinora/ingest/webrtc/sdp/SessionDescription"
import { Effect, Option, Redacted } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { answer } from "../../platform/http/Answer.ts"
import { withOperation } from "../../platform/http/Operation.ts"
import { wholeBody } from "../../platform/http/WholeBody.ts"
import { LiveSettings, whipPath } from "../settings/LiveSettings.ts"
import { WhipAnywhere } from "./WhipAnywhere.ts"

const endpoints = WhipRoutes.endpoints as unknown as Record<keyof typeof WhipRoutes.endpoints, HttpApiEndpoint.Top>

const sdpType = "application/sdp"

const keyOf = ({ headers }: HttpServerRequest): Effect.Effect<Redacted.Redacted<string>, StreamKeyUnknown> => {
  const match = /^bearer +(\S{1,200})$/i.exec(headers["authorization"] ?? "")
  return match === null ? Effect.fail(new StreamKeyUnknown()) : Effect.succeed(Redacted.make(match[1]!))
}

const addressOf = ({ remoteAddress }: HttpServerRequest): string => Option.getOrElse(remoteAddress, () => "")

/**
 * Publishing by WebRTC (RFC 9725): `POST` takes an offer and gives the answer, `DELETE` ends the publication. Candidates of
 * the publisher are not needed, so that there is no `PATCH`; our own ones stand in the answer.
 */
export const whipRoutes = HttpRouter.use(
  Effect.fn(function* (router) {
    const door = yield* WhipAnywhere
    const settings = yield* LiveSettings

    /** Servers by which publishers find out their addresses (RFC 9725, 4.6). */
    const links = (): Record<string, string> => {
      const servers = settings.whip.iceServers.map((server) => `<${server}>; rel="ice-server"`)
      return servers.length === 0 ? {} : { link: servers.join(", ") }
    }

    const publish = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const key = yield* keyOf(request)
      const contentType = request.headers["content-type"] ?? ""
      if (contentType.split(";", 1)[0]!.trim().toLowerCase() !== sdpType) {
        return yield* new UnsupportedContentType({ contentType: contentType.slice(0, 200) })
      }
      const body = yield* wholeBody(request, longestDescription)
      const offer = Buffer.from(body).toString("utf8")
      const made = yield* door.publish({ key, address: addressOf(request), offer })
      return HttpServerResponse.text(made.answer, {
        status: 201,
        contentType: sdpType,
        headers: {
          location: `${settings.whip.publicUrl}/${made.id}`,
          "access-control-expose-headers": "Link, Location, Retry-After",
          "cache-control": "no-store",
          ...links()
        }
      })
    })

    const end = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const { publication = "" } = yield* HttpRouter.params
      yield* door.end(publication, yield* keyOf(request))
    })

    const options = Effect.sync(() =>
      HttpServerResponse.empty({ status: 204, headers: { "accept-post": sdpType, ...links() } })
    )

    yield* router.addAll([
      withOperation(HttpRouter.route("POST", whipPath, answer(publish)), endpoints.publishByWhip),
      HttpRouter.route("OPTIONS", whipPath, answer(options)),
      withOperation(HttpRouter.route("DELETE", `${whipPath}/:publication`, answer(end)), endpoints.endWhip)
    ])
  })
)
