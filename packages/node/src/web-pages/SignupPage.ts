import { constraints } from "@kinora/domain/enums/Constraints"
import { emailField, passwordFields } from "./AccountPages.ts"
import { type Field, form, formPage } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { Say } from "./language/PageLanguage.ts"
import type { Surroundings } from "./Layout.ts"
import type { PageSignup } from "./PageSignup.ts"

const { username } = constraints.user

type Words = Say<"account">

const usernameField = (t: Words): Field => ({
  name: "username",
  label: t("username"),
  type: "text",
  autocomplete: "username",
  hint: t("usernameHint"),
  min: username.min,
  max: username.max,
  pattern: "[a-z0-9._]+"
})

const reasonField = (t: Words): Field => ({
  name: "registrationReason",
  label: t("reason"),
  type: "textarea",
  autocomplete: "off",
  hint: t("reasonHint"),
  min: 2,
  max: 3000
})

const ageField = (t: Words, years: number): Field => ({
  name: "age",
  label: t("age", { years }),
  type: "checkbox",
  autocomplete: "off",
  unsent: true
})

const termsField = (t: Words): Field => ({
  name: "terms",
  label: t("agree"),
  type: "checkbox",
  autocomplete: "off",
  unsent: true
})

const doneText = (t: Words, signup: PageSignup["Service"]): string =>
  signup.requiresApproval
    ? t(signup.verifiesEmail ? "doneApprovalVerified" : "doneApproval")
    : t(signup.verifiesEmail ? "doneVerified" : "done")

/** Registration, at once or with approval, as the instance is configured. */
export const signupPage = (surroundings: Surroundings, signup: PageSignup["Service"]): Html => {
  const { name, terms } = surroundings.instance
  const t = surroundings.language.text("account")
  const hasTerms = terms.trim() !== ""
  return formPage(surroundings, {
    title: t("joinName", { name }),
    text: signup.requiresApproval ? [t("approvalText")] : [],
    form: form(surroundings, {
      action: signup.requiresApproval ? "/api/v1/users/registrations/request" : "/api/v1/users/register",
      fields: [
        usernameField(t),
        emailField(surroundings),
        ...passwordFields(surroundings, t("password")),
        ...(signup.requiresApproval ? [reasonField(t)] : []),
        ...(signup.minimumAge > 0 ? [ageField(t, signup.minimumAge)] : []),
        ...(hasTerms ? [termsField(t)] : [])
      ],
      button: signup.requiresApproval ? t("askForAccount") : t("createAccount"),
      done: doneText(t, signup),
      next:
        signup.requiresApproval || signup.verifiesEmail
          ? undefined
          : { label: surroundings.language.text("common")("logIn"), path: "/login" }
    }),
    below: html`<p class="below">
      ${hasTerms && html`<a href="/about">${t("readTerms")}</a> · `}<a href="/login">${t("haveAccount")}</a>
    </p>`
  })
}

export const signupClosedPage = (surroundings: Surroundings, allowedElsewhere: boolean): Html => {
  const t = surroundings.language.text("account")
  return formPage(surroundings, {
    title: t("closedTitle"),
    text: [t(allowedElsewhere ? "closedHere" : "closed", { name: surroundings.instance.name })],
    below: html`<p class="below"><a href="/login">${t("haveAccount")}</a></p>`
  })
}
