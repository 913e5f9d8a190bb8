import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  abuseMessageParams,
  abuseParams,
  AbuseUpdate,
  allAbusesQuery,
  myAbusesQuery,
  newAbuse,
  newAbuseMessage
} from "../requests/AbuseRequests.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { AbuseMessages, AdminAbuses, ReportedAbuse, UserAbuses, WrittenAbuseMessage } from "../wire/Abuse.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const abuses = "/api/v1/abuses"
const one = `${abuses}/:abuseId`
const messages = `${one}/messages`
const right = "MANAGE_ABUSES"

/** Reports to the moderators. */
export class AbusesApi extends HttpApiGroup.make("abuses", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getMyAbuses", "/api/v1/users/me/abuses", { query: myAbusesQuery, success: UserAbuses })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the reports of the user", problems: problems(400) }),
    HttpApiEndpoint.get("getAbuses", abuses, { query: allAbusesQuery, success: AdminAbuses })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List reports; those about a moderator are for the others",
        right,
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.post("postAbuses", abuses, {
      headers: videoPasswordHeader,
      payload: newAbuse,
      success: ReportedAbuse
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Report a video, a comment or an account to the moderators",
        problems: problems(400, [403, "does_not_respect_follow_constraints", "incorrect_video_password"], 404)
      }),
    HttpApiEndpoint.put("putAbusesByAbuseId", one, {
      params: abuseParams,
      payload: jsonOrForm(AbuseUpdate),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Decide on a report, or note something", right, problems: problems(400, 403, 404) }),
    HttpApiEndpoint.delete("deleteAbusesByAbuseId", one, { params: abuseParams, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a report with its messages",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getAbusesMessages", messages, { params: abuseParams, success: AbuseMessages })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List what the reporter and the moderators wrote about a report",
        problems: problems(400, 404)
      }),
    HttpApiEndpoint.post("postAbusesMessages", messages, {
      params: abuseParams,
      payload: newAbuseMessage,
      success: WrittenAbuseMessage
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Write to the moderators about one's report, or as one of them to the reporter",
        rightOverOthers: "MANAGE_ABUSES",
        problems: problems(400, 404)
      }),
    HttpApiEndpoint.delete("deleteAbusesMessagesByAbuseMessageId", `${messages}/:abuseMessageId`, {
      params: abuseMessageParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a message: one's own, or any as a moderator",
        rightOverOthers: "MANAGE_ABUSES",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Abuses") {}
