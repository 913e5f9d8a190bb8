import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { optional } from "../fields/Field.ts"
import { integer, oneOf, text } from "../fields/Readers.ts"
import { Docs, type EndpointDocs } from "./Documentation.ts"

const query = {
  EIO: optional(integer({ min: 3, max: 4, message: "Must be the version of the protocol: 4" })),
  transport: optional(oneOf(["polling", "websocket"], "Must be polling or websocket")),
  sid: optional(text({ min: 1, max: 100, message: "Must be the session that was opened" }))
}

const answers: EndpointDocs["answers"] = {
  101: { description: "A web socket that speaks Engine.IO 4" },
  200: { description: "Packets of Engine.IO 4", content: "text/plain", schema: { type: "string" } },
  400: {
    description: "The request is none of Engine.IO 4, or names no open session",
    content: "application/json",
    schema: { type: "object", properties: { code: { type: "integer" }, message: { type: "string" } } }
  }
}

/**
 * The socket.io server: raw routes. Namespaces: `/user-notifications` (`accessToken` in the query or the handshake; sends
 * `new-notification` with a Notification), `/runners` (`runnerToken` in the handshake; sends `available-jobs`).
 */
export class SocketRoutes extends HttpApiGroup.make("socketRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("socketIO", "/socket.io/", { query }).annotate(Docs, {
      summary: "Open a socket or poll it; namespaces /user-notifications and /runners",
      answers
    }),
    HttpApiEndpoint.post("socketIOSend", "/socket.io/", { query }).annotate(Docs, {
      summary: "Send packets of a socket that polls",
      answers
    })
  )
  .annotate(OpenApi.Title, "Sockets") {}
