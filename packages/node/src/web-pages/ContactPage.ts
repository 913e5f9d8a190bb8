import { constraints } from "@kinora/domain/enums/Constraints"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { emailField } from "./AccountPages.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { form, formPage } from "./FormParts.ts"
import type { Html } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"
import { pageResponse } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { Contact } from "../instance/contact/Contact.ts"

const { body, fromName, subject } = constraints.contact

const contactPage = (surroundings: Surroundings): Html =>
  formPage(surroundings, {
    title: "Contact",
    text: [
      `This writes a mail to who runs ${surroundings.instance.name}. The answer goes to the address you give.`,
      "One mail an hour can be sent."
    ],
    form: form({
      action: "/api/v1/server/contact",
      fields: [
        {
          name: "fromName",
          label: "Your name",
          type: "text",
          autocomplete: "name",
          min: fromName.min,
          max: fromName.max
        },
        { ...emailField, name: "fromEmail", label: "Your e-mail address" },
        {
          name: "subject",
          label: "What is it about?",
          type: "text",
          autocomplete: "off",
          min: subject.min,
          max: subject.max
        },
        { name: "body", label: "Your message", type: "textarea", autocomplete: "off", min: body.min, max: body.max }
      ],
      button: "Send",
      done: "Thank you: your message is on its way.",
      refused: "You have written within the last hour. Please wait a little.",
      next: { label: "See the latest videos", path: "/" }
    })
  })

const closedPage = (surroundings: Surroundings): Html =>
  formPage(surroundings, { title: "Contact", text: ["This instance has no contact form."] })

/** `GET /about/contact`: the contact form, or a message that there is none. */
export const ContactPageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const contact = yield* Contact
    yield* router.add("GET", "/about/contact", () =>
      Effect.sync(() =>
        pageResponse(surroundings, contact.isOpen() ? contactPage(surroundings) : closedPage(surroundings))
      )
    )
  })
)
