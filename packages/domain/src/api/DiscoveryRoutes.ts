import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { field } from "../fields/Field.ts"
import { fileName } from "../fields/FileName.ts"
import { oneOf, text } from "../fields/Readers.ts"
import { NodeInfo, NodeInfoLinks, WebFinger } from "../wire/Discovery.ts"
import { Docs, type EndpointDocs, problems } from "./Documentation.ts"

const file = field(fileName)

const textDocs = (summary: string, content = "text/plain"): EndpointDocs => ({
  summary,
  answers: { 200: { description: "The document", content, schema: { type: "string" } } }
})
const redirectDocs = (summary: string, status: number): EndpointDocs => ({
  summary,
  answers: { [status]: { description: "Look there", headers: ["Location"] } }
})

/** How other servers and crawlers find out about the instance: raw routes. */
export class DiscoveryRoutes extends HttpApiGroup.make("discovery", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getNodeInfo", "/nodeinfo/:version.json", {
      params: { version: field(oneOf(["2.0", "2.1"], "Must be 2.0 or 2.1")) },
      success: NodeInfo
    }).annotate(Docs, { summary: "Get NodeInfo 2.0 or 2.1", problems: problems(404) }),
    HttpApiEndpoint.get("getNodeInfoLinks", "/.well-known/nodeinfo", { success: NodeInfoLinks }).annotate(Docs, {
      summary: "Get the address of NodeInfo"
    }),
    HttpApiEndpoint.get("webfinger", "/.well-known/webfinger", {
      query: {
        resource: field(
          text({
            min: 1,
            max: 1000,
            message: "Must be acct:name@host, with a host of ours",
            documented: { description: "`acct:name@host`" }
          })
        )
      },
      success: WebFinger
    }).annotate(Docs, { summary: "Get the addresses of a local actor", problems: problems(400, 404) }),
    HttpApiEndpoint.get("hostMeta", "/.well-known/host-meta").annotate(
      Docs,
      textDocs("Get host metadata with the address of WebFinger (RFC 6415)", "application/xrd+xml")
    ),
    HttpApiEndpoint.get("hostMetaJson", "/.well-known/host-meta.json").annotate(Docs, {
      summary: "Get host metadata as JSON (RFC 6415, appendix A)",
      answers: { 200: { description: "The document", content: "application/jrd+json", schema: { type: "object" } } }
    }),
    HttpApiEndpoint.get("securityTxt", "/.well-known/security.txt").annotate(
      Docs,
      textDocs("Get how to report a vulnerability (RFC 9116)")
    ),
    HttpApiEndpoint.get("securityTxtRedirect", "/security.txt").annotate(
      Docs,
      redirectDocs("Get security.txt under its older address", 301)
    ),
    HttpApiEndpoint.get("changePasswordRedirect", "/.well-known/change-password").annotate(
      Docs,
      redirectDocs("Redirect to the page that changes the password", 302)
    ),
    HttpApiEndpoint.get("dntPolicy", "/.well-known/dnt-policy.txt").annotate(
      Docs,
      textDocs("Get the do-not-track policy")
    ),
    HttpApiEndpoint.get("dntStatus", "/.well-known/dnt").annotate(Docs, {
      summary: "Get the do-not-track status",
      answers: {
        200: {
          description: "`N`: nobody is tracked",
          content: "application/tracking-status+json",
          schema: { type: "object", required: ["tracking"], properties: { tracking: { const: "N" } } }
        }
      }
    }),
    HttpApiEndpoint.get("wellKnownFile", "/.well-known/:file", { params: { file } }).annotate(Docs, {
      summary: "Get a file the administrator put there",
      answers: { 200: { description: "The file", content: "application/octet-stream" } },
      problems: problems(404)
    }),
    HttpApiEndpoint.get("robotsTxt", "/robots.txt").annotate(Docs, textDocs("What crawlers may read (RFC 9309)")),
    HttpApiEndpoint.get("sitemap", "/sitemap.xml").annotate(Docs, textDocs("Addresses of pages", "application/xml")),
    HttpApiEndpoint.get("webManifest", "/manifest.webmanifest").annotate(Docs, {
      summary: "Manifest of the web application",
      answers: {
        200: { description: "The manifest", content: "application/json", schema: { type: "object" } }
      }
    }),
    HttpApiEndpoint.get("teapot", "/teapot").annotate(Docs, {
      summary: "Refuse to brew coffee (RFC 2324)",
      answers: { 418: { description: "I am a teapot", content: "text/html", schema: { type: "string" } } }
    })
  )
  .annotate(OpenApi.Title, "Discovery") {}
