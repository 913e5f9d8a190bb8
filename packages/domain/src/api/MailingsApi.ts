import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { mailingListQuery, mailingParams, MailingText, NewMailing } from "../requests/MailingRequests.ts"
import { AddedMailing, Mailing, MailingList, MailingPreview } from "../wire/Mailing.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** Only administrators write in the name of the instance. */
const right = "MANAGE_CONFIGURATION"
const tag = "Users"
const mailings = "/api/v1/users/mailings"

/** Mails that administrators write to users: of our own. */
export class MailingsApi extends HttpApiGroup.make("mailings", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsersMailings", mailings, { query: mailingListQuery, success: MailingList })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "List mails to users", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("postUsersMailings", mailings, { payload: NewMailing, success: AddedMailing })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Mail some users, or everybody who has not unsubscribed; the mails go out little by little",
        right,
        problems: problems(400, 403, 409)
      }),
    HttpApiEndpoint.post("postUsersMailingsPreview", `${mailings}/preview`, {
      payload: MailingText,
      success: MailingPreview
    })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "Look at a mail as you would get it", right, problems: problems(400, 403) }),
    HttpApiEndpoint.get("getUsersMailing", `${mailings}/:mailingId`, { params: mailingParams, success: Mailing })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "One mail to users", right, problems: problems(400, 403, 404) }),
    HttpApiEndpoint.post("postUsersMailingsCancel", `${mailings}/:mailingId/cancel`, {
      params: mailingParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Mail nobody further; what was handed over to the mail queue goes out",
        right,
        problems: problems(400, 403, 404, 409)
      })
  )
  .annotate(OpenApi.Title, "Mailings") {}
