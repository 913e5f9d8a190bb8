import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountHandle, ChannelHandle } from "../ids/ActorHandle.ts"
import { field } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"
import { Docs, type EndpointDocs, problems } from "./Documentation.ts"

const header = (description: string) =>
  field(text({ min: 1, max: 8_192, message: "Must be there", documented: { description } }))

/** Signed as draft-cavage-12 has it; RFC 9421 with `Content-Digest` (RFC 9530) is read as well. */
const headers = {
  signature: header("Over at least `(request-target)`, `host`, `date` and `digest`, by the actor of the activity"),
  date: header("Within half an hour of now"),
  digest: header("`SHA-256=` and the digest of the body"),
  host: header("This instance")
}

const inbox = (summary: string): EndpointDocs => ({
  summary,
  body: {
    "application/activity+json": { type: "object" },
    "application/ld+json": { type: "object" },
    "application/json": { type: "object" }
  },
  answers: { 204: { description: "It is kept, and will be applied in the order of its coming" } },
  problems: problems(400, 401, 403, 404, 413, 415, 429, 503)
})

/** Where other servers send: raw routes, since what is signed are the bytes. */
export class InboxRoutes extends HttpApiGroup.make("inboxes", { topLevel: true })
  .add(
    HttpApiEndpoint.post("apSharedInbox", "/inbox", { headers }).annotate(
      Docs,
      inbox("Send an activity to the instance")
    ),
    HttpApiEndpoint.post("apAccountInbox", "/accounts/:name/inbox", {
      params: { name: AccountHandle },
      headers
    }).annotate(Docs, inbox("Send an activity to an account")),
    HttpApiEndpoint.post("apChannelInbox", "/video-channels/:handle/inbox", {
      params: { handle: ChannelHandle },
      headers
    }).annotate(Docs, inbox("Send an activity to a channel"))
  )
  .annotate(OpenApi.Title, "ActivityPub") {}
