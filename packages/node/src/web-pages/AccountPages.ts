import { constraints } from "@kinora/domain/enums/Constraints"
import { type Field, form, formPage } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"

const { max, maxBytes, min } = constraints.user.password

const oldLink = "This link does not work, or not any more: it was used already, or is too old."

/** A new password, entered twice. */
export const passwordFields = (label: string): ReadonlyArray<Field> => [
  {
    name: "password",
    label,
    type: "password",
    autocomplete: "new-password",
    hint: `${min} to ${max} characters.`,
    min,
    max,
    maxBytes
  },
  { name: "passwordAgain", label: "The same again", type: "password", autocomplete: "new-password", same: "password" }
]

export const emailField: Field = { name: "email", label: "E-mail address", type: "email", autocomplete: "email" }

const link = (path: string, text: string): Html => html`<p class="below"><a href="${path}">${text}</a></p>`

/** Whose email address a link verifies. */
export type Verified =
  | { readonly _tag: "User"; readonly id: number; readonly pending: boolean }
  | { readonly _tag: "Registration"; readonly id: number }

/** Opening the link verifies nothing yet: mail scanners open links, too. A person presses the button. */
export const verifyEmailPage = (surroundings: Surroundings, whose: Verified, token: string): Html =>
  formPage(surroundings, {
    title: "Verify your e-mail address",
    text: [`Did you receive this link at your own address? Then confirm it for ${surroundings.instance.name}.`],
    form: form({
      action:
        whose._tag === "User"
          ? `/api/v1/users/${whose.id}/verify-email`
          : `/api/v1/users/registrations/${whose.id}/verify-email`,
      hidden: {
        verificationString: token,
        isPendingEmail: whose._tag === "User" && whose.pending ? "true" : undefined
      },
      button: "Yes, it is mine",
      done:
        whose._tag === "Registration"
          ? "The address is verified. You get a mail when the moderators have looked at your registration."
          : whose.pending
            ? "The address is verified. It is the one of your account from now on."
            : "The address is verified. You can log in now.",
      refused: oldLink,
      next:
        whose._tag === "User" && !whose.pending
          ? { label: "Log in", path: "/login" }
          : { label: "See the latest videos", path: "/" }
    }),
    below: link("/verify-account/ask-send-email", "Request another link")
  })

export const resetPasswordPage = (surroundings: Surroundings, userId: number, token: string): Html =>
  formPage(surroundings, {
    title: "Choose a new password",
    text: [`For your account at ${surroundings.instance.name}. Everybody who is logged in with it will be logged out.`],
    form: form({
      action: `/api/v1/users/${userId}/reset-password`,
      hidden: { verificationString: token },
      fields: passwordFields("New password"),
      button: "Set the password",
      done: "The new password is set. Log in with it.",
      refused: oldLink,
      next: { label: "Log in", path: "/login" }
    }),
    below: link("/reset-password", "Request another link")
  })

export const askResetPage = (surroundings: Surroundings): Html =>
  formPage(surroundings, {
    title: "Forgot your password?",
    text: ["Give the address of your account, and a link to set a new password is sent to it."],
    form: form({
      action: "/api/v1/users/ask-reset-password",
      fields: [emailField],
      button: "Send the link",
      done: "If an account has this address, a mail is on its way. The link in it is good for an hour."
    })
  })

export const askVerificationPage = (surroundings: Surroundings): Html =>
  formPage(surroundings, {
    title: "Request another link",
    text: ["Give the address you registered with, and a new link to verify it is sent to it."],
    form: form({
      action: ["/api/v1/users/ask-send-verify-email", "/api/v1/users/registrations/ask-send-verify-email"],
      fields: [emailField],
      button: "Send the link",
      done: "If this address waits to be verified, a mail is on its way. The link in it is good for an hour."
    })
  })

/** Shown instead of the pages that request a mail. */
export const noMailPage = (surroundings: Surroundings, title: string): Html =>
  formPage(surroundings, {
    title,
    text: [`${surroundings.instance.name} sends no mail. Ask its administrators: they can help.`],
    below: link("/about", `About ${surroundings.instance.name}`)
  })

/** For a link that a mail program cut short. */
export const incompleteLinkPage = (surroundings: Surroundings, ask: string): Html =>
  formPage(surroundings, {
    title: "This link is not complete",
    text: ["A part of the address is missing. Copy it whole from the mail, on one line, or ask for another link."],
    below: link(ask, "Request another link")
  })
