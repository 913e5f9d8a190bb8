import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { WebFinger as Jrd } from "@kinora/domain/wire/Discovery"
import { LocalActors } from "@kinora/storage/people/actor/LocalActors"
import { Effect, Option, Result } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer } from "../../platform/http/Answer.ts"
import { canonicalHost, parseResource } from "./WebFingerResource.ts"

/** Media type of a JSON Resource Descriptor (RFC 7033, 10.2). */
const jrdType = { contentType: "application/jrd+json; charset=utf-8" }

const invalid = (msg: string, value?: unknown) => InvalidParameters.one("resource", msg, "query", value)

const onlyResource = (query: URLSearchParams): Result.Result<string, InvalidParameters> => {
  const values = query.getAll("resource")
  if (values.length === 0 || values[0] === "") return Result.fail(invalid("Should have a resource"))
  return values.length > 1 ? Result.fail(invalid("Should have one resource", values)) : Result.succeed(values[0]!)
}

/** `GET /.well-known/webfinger` for the actors of this instance (RFC 7033; contract: webfinger). */
export const WebFingerRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    const actors = yield* LocalActors
    const { host, origin } = config.derived
    const ownHost = canonicalHost(host, config.webserver.https)

    const find = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      // Percent-encoded (RFC 7033, 4.1), and no form: a plus is a plus.
      const query = new URLSearchParams(request.url.slice(request.url.indexOf("?") + 1).replaceAll("+", "%2B"))
      const resource = yield* Effect.fromResult(onlyResource(query))
      const subject = parseResource(resource, config.webserver.https)
      if (Result.isFailure(subject)) return yield* Effect.fail(invalid(subject.failure, resource.slice(0, 200)))
      if (subject.success.host !== ownHost || subject.success.name === "") return yield* new ActorNotFound()
      const found = yield* actors.byName(subject.success.name)
      if (Option.isNone(found)) return yield* new ActorNotFound()
      const { avatar, name, type, url } = found.value
      const links: Jrd["links"] = [
        { rel: "self", type: "application/activity+json", href: url },
        { rel: "http://ostatus.org/schema/1.0/subscribe", template: `${origin}/remote-interaction?uri={uri}` },
        {
          rel: "http://webfinger.net/rel/profile-page",
          type: "text/html",
          href: `${origin}/${type === "Group" ? "c" : "a"}/${name}`
        },
        ...(avatar === null
          ? []
          : [{ rel: "http://webfinger.net/rel/avatar", href: `${origin}/lazy-static/avatars/${avatar}` }])
      ]
      const wanted = query.getAll("rel")
      const jrd: Jrd = {
        subject: `acct:${name}@${host}`,
        aliases: [url],
        links: wanted.length === 0 ? links : links.filter((link) => wanted.includes(link.rel))
      }
      return HttpServerResponse.text(JSON.stringify(jrd), jrdType)
    })

    yield* router.add("GET", "/.well-known/webfinger", (request) => answer(find(request)))
  })
)
