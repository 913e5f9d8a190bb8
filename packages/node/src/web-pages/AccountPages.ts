import { constraints } from "@kinora/domain/enums/Constraints"
import { type Field, form, formPage } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"

const { max, maxBytes, min } = constraints.user.password

/** A new password, entered twice. */
export const passwordFields = ({ language }: Surroundings, label: string): ReadonlyArray<Field> => {
  const t = language.text("account")
  return [
    {
      name: "password",
      label,
      type: "password",
      autocomplete: "new-password",
      hint: t("passwordHint", { min, max }),
      min,
      max,
      maxBytes
    },
    { name: "passwordAgain", label: t("again"), type: "password", autocomplete: "new-password", same: "password" }
  ]
}

export const emailField = ({ language }: Surroundings): Field => ({
  name: "email",
  label: language.text("account")("email"),
  type: "email",
  autocomplete: "email"
})

const wordsOf = ({ instance: { name }, language }: Surroundings) => ({
  name,
  t: language.text("account"),
  common: language.text("common")
})

const link = (path: string, text: string): Html => html`<p class="below"><a href="${path}">${text}</a></p>`

/** Whose email address a link verifies. */
export type Verified =
  | { readonly _tag: "User"; readonly id: number; readonly pending: boolean }
  | { readonly _tag: "Registration"; readonly id: number }

/** Opening the link verifies nothing yet: mail scanners open links, too. A person presses the button. */
export const verifyEmailPage = (surroundings: Surroundings, whose: Verified, token: string): Html => {
  const { common, name, t } = wordsOf(surroundings)
  return formPage(surroundings, {
    title: t("verifyTitle"),
    text: [t("verifyText", { name })],
    form: form(surroundings, {
      action:
        whose._tag === "User"
          ? `/api/v1/users/${whose.id}/verify-email`
          : `/api/v1/users/registrations/${whose.id}/verify-email`,
      hidden: {
        verificationString: token,
        isPendingEmail: whose._tag === "User" && whose.pending ? "true" : undefined
      },
      button: t("verifyButton"),
      done:
        whose._tag === "Registration"
          ? t("verifiedRegistration")
          : whose.pending
            ? t("verifiedPending")
            : t("verified"),
      refused: t("oldLink"),
      next:
        whose._tag === "User" && !whose.pending
          ? { label: common("logIn"), path: "/login" }
          : { label: common("seeLatest"), path: "/" }
    }),
    below: link("/verify-account/ask-send-email", t("anotherLink"))
  })
}

export const resetPasswordPage = (surroundings: Surroundings, userId: number, token: string): Html => {
  const { common, name, t } = wordsOf(surroundings)
  return formPage(surroundings, {
    title: t("newPasswordTitle"),
    text: [t("newPasswordText", { name })],
    form: form(surroundings, {
      action: `/api/v1/users/${userId}/reset-password`,
      hidden: { verificationString: token },
      fields: passwordFields(surroundings, t("newPassword")),
      button: t("setPassword"),
      done: t("passwordSet"),
      refused: t("oldLink"),
      next: { label: common("logIn"), path: "/login" }
    }),
    below: link("/reset-password", t("anotherLink"))
  })
}

export const askResetPage = (surroundings: Surroundings): Html => {
  const { t } = wordsOf(surroundings)
  return formPage(surroundings, {
    title: t("forgotten"),
    text: [t("forgottenText")],
    form: form(surroundings, {
      action: "/api/v1/users/ask-reset-password",
      fields: [emailField(surroundings)],
      button: t("sendLink"),
      done: t("resetSent")
    })
  })
}

export const askVerificationPage = (surroundings: Surroundings): Html => {
  const { t } = wordsOf(surroundings)
  return formPage(surroundings, {
    title: t("anotherLink"),
    text: [t("verificationText")],
    form: form(surroundings, {
      action: ["/api/v1/users/ask-send-verify-email", "/api/v1/users/registrations/ask-send-verify-email"],
      fields: [emailField(surroundings)],
      button: t("sendLink"),
      done: t("verificationSent")
    })
  })
}

/** Shown instead of the pages that request a mail. */
export const noMailPage = (surroundings: Surroundings, title: "forgotten" | "anotherLink"): Html => {
  const { common, name, t } = wordsOf(surroundings)
  return formPage(surroundings, {
    title: t(title),
    text: [t("noMail", { name })],
    below: link("/about", common("aboutName", { name }))
  })
}

/** For a link that a mail program cut short. */
export const incompleteLinkPage = (surroundings: Surroundings, ask: string): Html => {
  const { t } = wordsOf(surroundings)
  return formPage(surroundings, {
    title: t("incompleteTitle"),
    text: [t("incompleteText")],
    below: link(ask, t("anotherLink"))
  })
}
