import { constraints } from "@kinora/domain/enums/Constraints"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { emailField } from "./AccountPages.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { form, formPage } from "./FormParts.ts"
import type { Html } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"
import { plainAnswer } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { Contact } from "../instance/contact/Contact.ts"

const { body, fromName, subject } = constraints.contact

const contactPage = (surroundings: Surroundings): Html => {
  const t = surroundings.language.text("instance")
  return formPage(surroundings, {
    title: t("contact"),
    text: [t("contactText", { name: surroundings.instance.name }), t("contactLimit")],
    form: form(surroundings, {
      action: "/api/v1/server/contact",
      fields: [
        {
          name: "fromName",
          label: t("yourName"),
          type: "text",
          autocomplete: "name",
          min: fromName.min,
          max: fromName.max
        },
        { ...emailField(surroundings), name: "fromEmail", label: t("yourEmail") },
        {
          name: "subject",
          label: t("subject"),
          type: "text",
          autocomplete: "off",
          min: subject.min,
          max: subject.max
        },
        { name: "body", label: t("message"), type: "textarea", autocomplete: "off", min: body.min, max: body.max }
      ],
      button: t("send"),
      done: t("sent"),
      refused: t("tooSoon"),
      next: { label: surroundings.language.text("common")("seeLatest"), path: "/" }
    })
  })
}

const closedPage = (surroundings: Surroundings): Html => {
  const t = surroundings.language.text("instance")
  return formPage(surroundings, { title: t("contact"), text: [t("noContact")] })
}

/** `GET /about/contact`: the contact form, or a message that there is none. */
export const ContactPageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const contact = yield* Contact
    yield* router.add("GET", "/about/contact", () =>
      plainAnswer(site, (surroundings) => (contact.isOpen() ? contactPage(surroundings) : closedPage(surroundings)))
    )
  })
)
