import { DateTime, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { prefersJson } from "@kinora/federation/negotiation/Accept"
import { json } from "../../platform/http/Answer.ts"
import { sendsMail } from "../../platform/mail/SendsMail.ts"

const plain = { contentType: "text/plain; charset=utf-8" }

const hostMeta = (origin: string): string =>
  [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">`,
    `  <Link rel="lrdd" type="application/xrd+xml" template="${origin}/.well-known/webfinger?resource={uri}"/>`,
    `</XRD>`,
    ""
  ].join("\n")

const hostMetaJson = (origin: string): string =>
  JSON.stringify({
    links: [{ rel: "lrdd", type: "application/jrd+json", template: `${origin}/.well-known/webfinger?resource={uri}` }]
  })

const dntPolicy = `This instance does not follow its visitors.

Nothing that is needed to play a video is used to tell visitors apart across visits or sites, and nothing about them is
passed on to others. Logs that hold addresses are kept for a short time and for running the service only.
`

/** What the operator wrote, or what RFC 9116 asks for: a contact, an expiry within a year, and where this belongs. */
const securityText = (config: Configuration, now: DateTime.Utc): string =>
  config.instance.securitytxt !== ""
    ? config.instance.securitytxt
    : [
        `Contact: mailto:${config.admin.email}`,
        ...(config.contact_form.enabled && sendsMail(config)
          ? [`Contact: ${config.derived.origin}/about/contact`]
          : []),
        `Expires: ${DateTime.formatIso(DateTime.add(now, { months: 11 }))}`,
        `Canonical: ${config.derived.origin}/.well-known/security.txt`,
        ""
      ].join("\n")

/** The small fixed documents of discovery: host-meta, security.txt, change-password and Do Not Track. */
export const WellKnownRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    const { origin } = config.derived

    const xrd = Effect.sync(() =>
      HttpServerResponse.text(hostMeta(origin), { contentType: "application/xrd+xml; charset=utf-8" })
    )
    const jrd = Effect.sync(() =>
      HttpServerResponse.text(hostMetaJson(origin), { contentType: "application/jrd+json; charset=utf-8" })
    )
    // RFC 6415, 3.1: XRD unless JRD is asked for.
    yield* router.add("GET", "/.well-known/host-meta", ({ headers }) =>
      Effect.map(prefersJson(headers["accept"]) ? jrd : xrd, HttpServerResponse.setHeader("vary", "Accept"))
    )
    yield* router.add("GET", "/.well-known/host-meta.json", jrd)
    yield* router.add("GET", "/.well-known/security.txt", () =>
      Effect.map(DateTime.now, (now) => HttpServerResponse.text(securityText(config, now), plain))
    )
    yield* router.add("GET", "/security.txt", () =>
      Effect.sync(() => HttpServerResponse.redirect("/.well-known/security.txt", { status: 301 }))
    )
    yield* router.add("GET", "/.well-known/change-password", () =>
      Effect.sync(() => HttpServerResponse.redirect("/my/settings?part=security", { status: 302 }))
    )
    yield* router.add("GET", "/.well-known/dnt-policy.txt", () =>
      Effect.sync(() => HttpServerResponse.text(dntPolicy, plain))
    )
    yield* router.add("GET", "/.well-known/dnt", () => Effect.sync(() => json({ tracking: "N" })))
  })
)
